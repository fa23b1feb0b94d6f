import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const SRC = path.resolve(__dirname, '../../../src');

test('what migrates the database knows every model', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const declaring = files.filter((file) => /= model[<(]/.test(readFileSync(path.join(SRC, file), 'utf8')));
  const known = [...readFileSync(path.join(SRC, 'admin/models.ts'), 'utf8').matchAll(/^import '\.\.\/(.+)';$/gm)].map(
    ([, name]) => `${name}.ts`,
  );
  expect(declaring.length).toBeGreaterThan(20);
  expect(declaring.filter((file) => !known.includes(file))).toEqual([]);
});
