import { builtinModules } from 'node:module';
import boundaries from 'eslint-plugin-boundaries';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

const DETERMINISTIC = ['workflows/**/*.ts', 'src/contracts/**/*.ts', 'src/rules/**/*.ts'];
const may = (from, to, kind) => ({
  from: { element: { type: from } },
  allow: { to: { element: { types: { anyOf: to } } }, ...(kind && { dependency: { kind } }) },
});

/** What runs inside workflows too, and so imports nothing impure. */
const FLOORS = ['contracts', 'rules'];
/** The wings of `src/`, from the ground up: each imports what stands before it. */
const WINGS = ['platform', 'message', 'records', 'audience', 'sending', 'marketing', 'upkeep', 'processes'];
const upTo = (wing) => [...FLOORS, ...WINGS.slice(0, WINGS.indexOf(wing) + 1)];

/** The packages of `packages/`: they import nothing of the product, and each wing names those that it uses. */
const PACKAGES = ['smtp', 'local'];

const EVERYTHING = ['composition', ...PACKAGES, 'client', 'test', 'api', 'http', 'worker', 'activities', 'workflows', ...WINGS, ...FLOORS];

export default defineConfig(
  globalIgnores(['**/dist/**', 'coverage/**', '**/*.mjs', '**/*.cjs', 'test/generated/**']),
  {
    files: ['**/*.{ts,tsx}'],
    languageOptions: { parser: tseslint.parser },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true, named: true, defaultFrom: true } }],
      'no-useless-assignment': 'error',
      'no-restricted-properties': [
        'error',
        { object: 'URL', property: 'canParse', message: 'On Node 20 it refuses letters such as ü once it is called often: use parsedUrl.' },
      ],
    },
  },
  {
    plugins: { boundaries },
    settings: {
      'import/resolver': { typescript: true },
      'boundaries/elements': [
        { type: 'test', partialMatch: false, pattern: 'test' },
        { type: 'contracts', partialMatch: false, pattern: 'src/contracts' },
        { type: 'rules', partialMatch: false, pattern: 'src/rules' },
        { type: 'composition', partialMatch: false, pattern: 'src/composition' },
        ...WINGS.map((type) => ({ type, partialMatch: false, pattern: `src/${type}/*`, capture: ['room'] })),
        { type: 'workflows', partialMatch: false, pattern: 'workflows' },
        { type: 'activities', partialMatch: false, pattern: 'activities' },
        { type: 'worker', partialMatch: false, pattern: 'worker' },
        { type: 'http', partialMatch: false, pattern: 'api/http' },
        { type: 'api', partialMatch: false, pattern: ['api', 'api/*'] },
        ...PACKAGES.map((type) => ({ type, partialMatch: false, pattern: `packages/${type}/src` })),
        { type: 'test', partialMatch: false, pattern: 'packages/*/test' },
        { type: 'client', partialMatch: false, pattern: 'clients/typescript/src' },
        { type: 'bench', partialMatch: false, pattern: 'bench' },
        { type: 'screen', partialMatch: false, pattern: 'console/src/screens/*', capture: ['screen'] },
        { type: 'screens', partialMatch: false, pattern: 'console/src/screens' },
        { type: 'shell', partialMatch: false, pattern: 'console/src/(shell|session)' },
        { type: 'parts', partialMatch: false, pattern: 'console/src/parts' },
        { type: 'console', partialMatch: false, pattern: 'console/src' },
      ],
    },
    rules: {
      'boundaries/dependencies': [
        'error',
        {
          default: 'disallow',
          policies: [
            { allow: { to: { module: { origin: ['external', 'core'] } } } },
            may('contracts', ['contracts']),
            may('rules', ['rules', 'contracts']),
            ...WINGS.map((wing) => may(wing, upTo(wing))),
            may('workflows', ['workflows', 'contracts', 'rules']),
            may('workflows', ['activities'], 'type'),
            may('composition', upTo('upkeep')),
            may('processes', ['composition', 'local']),
            may('sending', ['smtp']),
            may('marketing', ['smtp']),
            may('activities', ['activities', ...upTo('upkeep')]),
            may('http', ['http', ...upTo('sending')]),
            may('api', ['api', 'http', 'composition', ...upTo('upkeep')]),
            may('worker', ['worker', 'activities', 'composition', ...upTo('upkeep')]),
            may('client', ['client']),
            may('parts', ['parts', 'client']),
            may('screen', ['screen', 'parts', 'shell']),
            may('screens', ['screen', 'shell']),
            may('shell', ['shell', 'screens', 'parts']),
            may('console', ['shell', 'parts']),
            {
              from: { element: { type: 'screen' } },
              disallow: { to: { element: { type: 'screen', captured: { screen: '!{{ from.element.captured.screen }}' } } } },
              message: 'What two screens share is in console/src/parts.',
            },
            may('test', EVERYTHING),
            may('bench', [...EVERYTHING, 'bench']),
          ],
        },
      ],
    },
  },
  {
    files: DETERMINISTIC,
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: builtinModules
            .filter((m) => m !== 'assert')
            .flatMap((m) => [m, `node:${m}`])
            .map((name) => ({ name, message: 'This code runs inside a Temporal workflow: no Node built-ins.' })),
          patterns: [
            {
              regex: '^(?!@temporalio/(workflow|common)$|\\.{1,2}/)',
              message: 'Workflow-safe code imports only @temporalio/workflow, @temporalio/common and its neighbours.',
            },
          ],
        },
      ],
      'no-restricted-globals': ['error', 'process', 'fetch', 'Buffer', 'setInterval', 'WeakRef', 'FinalizationRegistry'],
    },
  },
  {
    files: ['workflows/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: `:matches(CallExpression[callee.name='sleep'], CallExpression[callee.name='condition'][arguments.length>1]):not(:has(ObjectExpression > Property[key.name='summary']))`,
          message: 'A timer says what it waits for: give it a summary.',
        },
        {
          selector: "CallExpression[callee.name='executeChild']:not(:has(ObjectExpression > Property[key.name='staticSummary']))",
          message: 'A child says what it is for: give it a staticSummary.',
        },
        {
          selector:
            "Program:not(:has(ExportNamedDeclaration > FunctionDeclaration[id.name='summarizedActivities'])) CallExpression[callee.name='proxyActivities']",
          message: 'An activity says what it does: take summarizedActivities.',
        },
      ],
    },
  },
  {
    files: ['api/**/*.ts', 'src/**/*.ts', 'packages/*/src/**/*.ts', 'activities/**/*.ts', 'worker/**/*.ts'],
    ignores: ['src/platform/config/config.ts', 'packages/local/src/environment.ts', ...DETERMINISTIC],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Read the environment in src/platform/config/config.ts only.' },
      ],
    },
  },
  { files: ['test/**/*.ts', 'packages/*/test/**/*.ts'], rules: { 'no-restricted-exports': 'off' } },
);
