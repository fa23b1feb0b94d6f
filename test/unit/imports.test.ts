import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');

/** What runs inside workflows too, and so imports nothing impure. */
const PURE = ['contracts', 'rules'];
/** The wings of `src/`, from the ground up: each imports itself and those before it. */
const WINGS = ['platform', 'message', 'records', 'audience', 'sending', 'marketing', 'upkeep', 'processes'];
const upTo = (wing: string): readonly string[] => [...PURE, ...WINGS.slice(0, WINGS.indexOf(wing) + 1)];
/** What a wing imports from outside of `src/`'s wings. */
const BESIDES: Readonly<Record<string, readonly string[]>> = {
  sending: ['smtp'],
  marketing: ['smtp'],
  processes: ['composition', 'local'],
};

const PRODUCT = ['composition', 'smtp', 'local', 'client', 'test', 'api', 'http', 'worker', 'activities', 'workflows', ...WINGS, ...PURE];

interface Part {
  readonly name: string;
  readonly folder: RegExp;
  readonly imports: readonly string[];
  /** Parts of which it imports types, and nothing that runs. */
  readonly importsTypesOf?: readonly string[];
}

/** The parts of the tree; a file belongs to the first whose folder it is in. */
const PARTS: readonly Part[] = [
  { name: 'test', folder: /^(test|packages\/[^/]+\/test)\//, imports: PRODUCT },
  { name: 'contracts', folder: /^src\/contracts\//, imports: ['contracts'] },
  { name: 'rules', folder: /^src\/rules\//, imports: PURE },
  { name: 'composition', folder: /^src\/composition\//, imports: ['composition', ...upTo('upkeep')] },
  ...WINGS.map((name) => ({ name, folder: new RegExp(`^src/${name}/`), imports: [...upTo(name), ...(BESIDES[name] ?? [])] })),
  { name: 'workflows', folder: /^workflows\//, imports: ['workflows', ...PURE], importsTypesOf: ['activities'] },
  { name: 'activities', folder: /^activities\//, imports: ['activities', ...upTo('upkeep')] },
  { name: 'worker', folder: /^worker\//, imports: ['worker', 'activities', 'composition', ...upTo('upkeep')] },
  { name: 'http', folder: /^api\/http\//, imports: ['http', ...upTo('sending')] },
  { name: 'api', folder: /^api\//, imports: ['api', 'http', 'composition', ...upTo('upkeep')] },
  { name: 'smtp', folder: /^packages\/smtp\/src\//, imports: ['smtp'] },
  { name: 'local', folder: /^packages\/local\/src\//, imports: ['local'] },
  { name: 'client', folder: /^clients\/typescript\/src\//, imports: ['client'] },
  { name: 'bench', folder: /^bench\//, imports: ['bench', ...PRODUCT] },
  { name: 'screen', folder: /^console\/src\/screens\/[^/]+\//, imports: ['screen', 'parts', 'shell'] },
  { name: 'screens', folder: /^console\/src\/screens\//, imports: ['screens', 'screen', 'shell'] },
  { name: 'shell', folder: /^console\/src\/(shell|session)\b/, imports: ['shell', 'screens', 'parts'] },
  { name: 'parts', folder: /^console\/src\/parts\//, imports: ['parts', 'client', 'rules'] },
  { name: 'console', folder: /^console\/src\//, imports: ['console', 'shell', 'parts'] },
];

const FOLDERS = ['src', 'api', 'worker', 'workflows', 'activities', 'packages', 'clients/typescript/src', 'console/src', 'bench', 'test'];
const FILES = FOLDERS.flatMap((folder) =>
  readdirSync(path.join(ROOT, folder), { recursive: true })
    .map((file) => path.join(folder, String(file)))
    .filter((file) => /\.tsx?$/.test(file) && !/\/(node_modules|dist|generated)\//.test(file)),
);

const partOf = (file: string): Part | undefined => PARTS.find(({ folder }) => folder.test(file));

interface Import {
  readonly from: string;
  readonly to: string;
  readonly isType: boolean;
}

/** `import … from`, `export … from`, `import '…'`, and `import('…')`. */
const IMPORT = /^(?:import|export)\s+(type\s)?(?:[^;'"]*?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)/gms;

interface Specifier {
  readonly specifier: string;
  readonly isType: boolean;
}

const specifiersOf = (file: string): readonly Specifier[] =>
  [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(IMPORT)].map(([, isType, named, called]) => ({
    specifier: named ?? called ?? '',
    isType: isType !== undefined,
  }));

const importsOf = (file: string): readonly Import[] =>
  specifiersOf(file).flatMap(({ specifier, isType }) => {
    const to = targetOf(file, specifier);
    return to === null ? [] : [{ from: file, to, isType }];
  });

/** The file of the tree that an import names; null for packages of others. */
function targetOf(file: string, specifier: string): string | null {
  if (specifier.startsWith('@lettermill/')) return `packages/${specifier.split('/')[1] ?? ''}/src/index.ts`;
  if (!specifier.startsWith('.')) return null;
  const target = path.join(path.dirname(file), specifier);
  return [`${target}.ts`, `${target}.tsx`, `${target}/index.ts`].find((name) => existsSync(path.join(ROOT, name))) ?? null;
}

/** The packages that run inside a workflow. */
const WORKFLOW_SAFE = ['@temporalio/workflow', '@temporalio/common', 'assert', 'node:assert'];

test('code that runs inside workflows imports only its neighbors and packages that are safe there', () => {
  const pure = FILES.filter((file) => ['workflows', ...PURE].includes(partOf(file)?.name ?? ''));
  const past = pure.flatMap((file) =>
    specifiersOf(file)
      .filter(({ specifier }) => !specifier.startsWith('.') && !WORKFLOW_SAFE.includes(specifier))
      .map(({ specifier }) => `${file} → ${specifier}`),
  );
  expect(pure.length).toBeGreaterThan(100);
  expect(past).toEqual([]);
});

const IMPORTS = FILES.flatMap(importsOf);
const shown = ({ from, to }: Import): string => `${from} → ${to}`;

test('each file is in a part of the tree', () => {
  expect(FILES.length).toBeGreaterThan(1_000);
  expect(FILES.filter((file) => partOf(file) === undefined)).toEqual([]);
});

test('a part imports the parts that it may', () => {
  const past = IMPORTS.filter(({ from, to, isType }) => {
    const [importer, imported] = [partOf(from), partOf(to)?.name ?? 'none'];
    return !importer?.imports.includes(imported) && !(isType && importer?.importsTypesOf?.includes(imported));
  });
  expect(IMPORTS.length).toBeGreaterThan(5_000);
  expect(past.map(shown)).toEqual([]);
});

test('a screen imports no other screen: what two share is in console/src/parts', () => {
  const screenOf = (file: string): string | undefined => /^console\/src\/screens\/[^/]+\//.exec(file)?.[0];
  const past = IMPORTS.filter(({ from, to }) => screenOf(from) && screenOf(to) && screenOf(from) !== screenOf(to));
  expect(past.map(shown)).toEqual([]);
});
