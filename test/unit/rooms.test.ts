import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');
const WINGS = ['platform', 'message', 'records', 'audience', 'sending', 'marketing', 'upkeep', 'processes'];

/** An import or re-export of something that exists when the program runs. */
const VALUE_IMPORT = /^(?:import|export)\s+(?!type\b)(?:[^;'"]*?\sfrom\s+)?'(\.[^']+)'/gms;

interface Import {
  readonly from: string;
  readonly to: string;
  /** It loads the other file and takes no name of it. */
  readonly isBare: boolean;
  /** It takes a model. */
  readonly takesModel: boolean;
}

const sources = (folder: string): readonly string[] =>
  readdirSync(path.join(ROOT, folder), { recursive: true })
    .map((file) => path.join(folder, String(file)))
    .filter((file) => file.endsWith('.ts'));

const FILES = new Set(['src', 'api', 'worker', 'activities'].flatMap(sources));

/** `src/<wing>/<room>`, a folder or a single file, or null for a file that is in no room. */
const roomOf = (file: string): string | null => {
  const [top, wing = '', room = ''] = file.split('/');
  return top === 'src' && WINGS.includes(wing) ? `src/${wing}/${path.basename(room, '.ts')}` : null;
};

const isDoor = (file: string): boolean => file === `${roomOf(file)}/index.ts` || file === `${roomOf(file)}.ts`;

function importsOf(file: string): readonly Import[] {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  return [...text.matchAll(VALUE_IMPORT)].flatMap(([statement, specifier = '']) => {
    const target = path.join(path.dirname(file), specifier);
    const to = [`${target}.ts`, `${target}/index.ts`].find((name) => FILES.has(name));
    return to === undefined
      ? []
      : [{ from: file, to, isBare: /^import\s+'/.test(statement), takesModel: /\b[A-Z]\w*Model\b/.test(statement) }];
  });
}

const BENCH = sources('bench');
const IMPORTS = [...FILES].flatMap(importsOf);
const across = IMPORTS.filter(({ from, to }) => roomOf(to) !== null && roomOf(from) !== roomOf(to));

test('a room is entered by its index alone, or is one file', () => {
  const past = across.filter(({ to, isBare }) => !isBare && !isDoor(to));
  expect(past.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
});

/** What benchmarks measure or make that is no part of what the room offers: one of its steps, and its rows. */
const MEASURED_INSIDE = [
  'bench/console.ts → src/audience/contacts/model.ts',
  'bench/console.ts → src/records/emails/model.ts',
  'bench/contacts.ts → src/audience/contacts/field-values.ts',
  'bench/contacts.ts → src/audience/contacts/model.ts',
  'bench/support/domain.ts → src/sending/domains/model.ts',
  'bench/support/domain.ts → src/sending/domains/row.ts',
  'bench/support/records.ts → src/sending/deliver/outcome.ts',
  'bench/support/records.ts → src/sending/deliver/record.ts',
];

test('benchmarks enter rooms by their index as well, but for what they measure inside', () => {
  const past = BENCH.flatMap(importsOf).filter(({ to }) => roomOf(to) !== null && !isDoor(to));
  expect(past.map(({ from, to }) => `${from} → ${to}`).sort()).toEqual(MEASURED_INSIDE);
});

test('no room leads back to itself over what it imports', () => {
  const reached = new Map<string, Set<string>>();
  for (const { from, to } of across) {
    const room = roomOf(from);
    if (room !== null) reached.set(room, (reached.get(room) ?? new Set()).add(roomOf(to) ?? ''));
  }
  const below = (room: string, seen = new Set<string>()): ReadonlySet<string> => {
    for (const next of reached.get(room) ?? []) if (!seen.has(next)) below(next, seen.add(next));
    return seen;
  };
  expect(reached.size).toBeGreaterThan(40);
  expect([...reached.keys()].filter((room) => below(room).has(room))).toEqual([]);
});

const specifiersOf = (file: string): readonly string[] =>
  [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(/\sfrom '([^']+)'/g)].map(([, specifier = '']) => specifier);

test('a package is entered by its name', () => {
  const past = [...FILES].flatMap((file) =>
    specifiersOf(file)
      .filter((to) => to.includes('/packages/'))
      .map((to) => `${file} → ${to}`),
  );
  expect(past).toEqual([]);
});

test('models stay in their rooms', () => {
  expect(across.length).toBeGreaterThan(1_000);
  expect(across.filter(({ takesModel }) => takesModel).map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
});
