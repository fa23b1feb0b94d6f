import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { compose } from '../../../src/composition/compose';
import type { Hook } from '../../../src/platform/hooks';

const ROOT = path.resolve(__dirname, '../../..');
const load = createRequire(__filename);

const filesOf = (folder: string): readonly string[] =>
  readdirSync(path.join(ROOT, folder), { recursive: true })
    .map((file) => path.join(folder, String(file)))
    .filter((file) => file.endsWith('.ts'));
const textOf = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

/** What rooms ask the rooms above them: the exported hooks. */
const questions = filesOf('src').flatMap((file) =>
  [...textOf(file).matchAll(/^export const (\w+) =\s+hook</gm)].map(([, name = '']) => ({ file, name })),
);

test.each(questions)('$name has an answer in every process that is composed', async ({ file, name }) => {
  compose(null);
  const room = load(path.join(ROOT, file)) as Readonly<Record<string, Hook<unknown>>>;
  expect(room[name]?.answers.length).toBeGreaterThan(0);
});

test('a process gets its core composed, or composes before it begins', () => {
  const makers = [...filesOf('src'), ...filesOf('api'), ...filesOf('worker')].filter((file) => /\bprocessCore\(/.test(textOf(file)));
  expect(makers).toEqual(['src/composition/compose.ts']);
  expect(questions.length).toBeGreaterThan(10);
  expect(textOf('src/processes/admin/main.ts')).toMatch(/\bcompose\(null\);/);
});
