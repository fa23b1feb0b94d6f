import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const ROOT = path.resolve(__dirname, '../..');
const FOLDERS = ['src', 'workflows', 'activities', 'api', 'worker', 'packages/smtp/src', 'packages/local/src'];

/** Variables of modules that may change, each with its reason. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  // Ids of a process sort in the order in which they are made, whatever makes them: like the state of a random generator, there is one.
  'src/platform/core/ids.ts': ['lastMs', 'chance'],
  // Node follows promises for a storage in the whole process or not at all, so how many use it is counted there.
  'src/platform/core/request-scope.ts': ['underWay'],
  // The client of Prometheus keeps its gauges for the whole process, and so is what sets them.
  'src/platform/metrics/exposition.ts': ['samples'],
  // Many that count have only a part of their core; its logger is in each part.
};

/** Where answers are given to hooks. Elsewhere a hook would be a variable: what it holds is what was answered last. */
const WIRING = 'src/composition/';
/** The types of what a core is made of. A map from one of them is a map from the core, which `perCore` is for. */
const OF_CORE = /^(?:Core\b|Pick<Core\b|ServerConfig$|Logger$|Secrets$|Processes$|Dns$|CallGate$)/;
/** Methods that change a list, a map or a set. */
const CHANGING = ['push', 'pop', 'shift', 'unshift', 'splice', 'sort', 'reverse', 'set', 'add', 'delete', 'clear'];

/** Collections that only grow. Those with weak keys lose an entry with the object that it is about, and may stand in a module. */
const COLLECTIONS = ['Map', 'Set', 'LRUCache'];
/** Functions of `platform/batch` and `platform/mongo` whose result has a queue in it. */
const QUEUES = ['batched', 'together'];
/** Classes whose objects may be made at import: they do not change, or they hold what belongs to a request. */
const CONSTANT = ['Schema', 'RegExp', 'Date', 'FixedText', 'Refusal', 'RowReader', 'MarkdownIt', 'AsyncLocalStorage', 'WeakMap', 'WeakSet'];

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(path.join(ROOT, folder), { recursive: true })
    .map((file) => path.join(folder, String(file)))
    .filter((file) => file.endsWith('.ts')),
);

/** Lists what is wrong with a source: what its modules hold that changes while the process runs. */
function stateIn(file: string, text: string): readonly string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const allowed = ALLOWED[file] ?? [];
  const queues = QUEUES.filter((name) =>
    new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from '[./]+(platform/)?(batch|mongo)'`).test(text),
  );
  return [
    ...source.statements.filter(ts.isVariableStatement).flatMap((each) => variables(each, queues)),
    ...source.statements.filter(ts.isClassDeclaration).flatMap((each) => statics(each, queues)),
    ...mutations(source),
    ...(file.startsWith(WIRING) ? [] : answered(source)),
  ]
    .filter(({ name }) => !allowed.includes(name))
    .map(({ name, fault }) => `${file}: ${name} ${fault}`);
}

interface Found {
  readonly name: string;
  readonly fault: string;
}

function variables({ declarationList }: ts.VariableStatement, queues: readonly string[]): readonly Found[] {
  const isConst = (declarationList.flags & ts.NodeFlags.Const) !== 0;
  return declarationList.declarations.flatMap((declaration) => {
    const faults = isConst ? faultsOf(declaration, queues) : ['is a variable'];
    return faults.map((fault) => ({ name: declaration.name.getText(), fault }));
  });
}

/** Lists what a class holds for all of its objects. */
function statics({ members }: ts.ClassDeclaration, queues: readonly string[]): readonly Found[] {
  return members.filter(ts.isPropertyDeclaration).flatMap((member) => {
    const kinds = (member.modifiers ?? []).map(({ kind }) => kind);
    if (!kinds.includes(ts.SyntaxKind.StaticKeyword)) return [];
    const isFixed = kinds.includes(ts.SyntaxKind.ReadonlyKeyword) || (member.initializer && ts.isFunctionLike(member.initializer));
    const faults = isFixed ? faultsOf(member, queues) : ['is a variable'];
    return faults.map((fault) => ({ name: member.name.getText(), fault }));
  });
}

/** Lists the hooks that are answered. */
function answered(source: ts.SourceFile): readonly Found[] {
  const found: Found[] = [];
  const look = (node: ts.Node): void => {
    const method = ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) ? node.expression : null;
    if (method?.name.text === 'answer' && ts.isIdentifier(method.expression) && isHook(source, method.expression.text))
      found.push({ name: method.expression.text, fault: 'is answered outside the composition root' });
    ts.forEachChild(node, look);
  };
  look(source);
  return found;
}

/** Whether a module declares or imports a hook of that name. */
const isHook = (source: ts.SourceFile, name: string): boolean =>
  new RegExp(`const ${name} =\\s+hook\\b|import \\{[^}]*\\b${name}\\b`).test(source.text);

function faultsOf(
  { type, initializer }: Pick<ts.VariableDeclaration, 'type' | 'initializer'>,
  queues: readonly string[],
): readonly string[] {
  if (!initializer) return [];
  const isReadonly = /^(Readonly|readonly\b)/.test(type?.getText() ?? '');
  if (!isReadonly && isEmptyList(initializer) && (type === undefined || ts.isArrayTypeNode(type))) return ['is a list'];
  return made(initializer, queues)
    .filter((what) => !(isReadonly && COLLECTIONS.includes(what)))
    .map((what) => `holds a ${what}`);
}

const isEmptyList = (node: ts.Expression): boolean => ts.isArrayLiteralExpression(node) && node.elements.length === 0;

/** Lists the collections, queues and objects that an expression makes at once, not in a function that is called later. */
function made(node: ts.Node, queues: readonly string[]): readonly string[] {
  if (ts.isFunctionLike(node)) return [];
  const inside: string[] = [];
  if (ts.isNewExpression(node)) {
    const fault = faultOfObject(node);
    // What a constant is made of is its own.
    if (fault === null) return inside;
    inside.push(fault);
  }
  if (ts.isCallExpression(node) && queues.includes(node.expression.getText())) inside.push(node.expression.getText());
  ts.forEachChild(node, (child) => void inside.push(...made(child, queues)));
  return inside;
}

/** Names what an object is when it may not be made at import; null for a constant. */
function faultOfObject({ expression, typeArguments }: ts.NewExpression): string | null {
  const name = expression.getText();
  if (!CONSTANT.includes(name)) return name;
  return name.startsWith('Weak') && OF_CORE.test(typeArguments?.[0]?.getText() ?? '') ? `${name} by a part of a core` : null;
}

/**
 * Lists the objects of a module whose members are assigned, except where a pattern looks next, which is set before each use, and the lists and collections that
 * a method changes.
 */
function mutations(source: ts.SourceFile): readonly Found[] {
  const names = new Set(
    source.statements
      .filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) => declarationList.declarations.map(({ name }) => name.getText())),
  );
  const lists = listsOf(source);
  const found: Found[] = [];
  const look = (node: ts.Node): void => {
    const changed = memberChangedBy(node) ?? changedByMethod(node, lists);
    if (changed !== null && names.has(changed)) found.push({ name: changed, fault: 'changes' });
    ts.forEachChild(node, look);
  };
  look(source);
  return found;
}

/** Returns the object whose member an assignment or a step changes; null for anything else. */
function memberChangedBy(node: ts.Node): string | null {
  const target = changedBy(node);
  if (target === null) return null;
  if (ts.isElementAccessExpression(target)) return target.expression.getText();
  return ts.isPropertyAccessExpression(target) && target.name.text !== 'lastIndex' ? target.expression.getText() : null;
}

/** Names the lists and the collections that only grow of a module. */
const listsOf = (source: ts.SourceFile): ReadonlySet<string> =>
  new Set(
    source.statements
      .filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) =>
        declarationList.declarations.filter(({ initializer }) => initializer && isGrowing(initializer)).map(({ name }) => name.getText()),
      ),
  );

const isGrowing = (node: ts.Expression): boolean =>
  ts.isArrayLiteralExpression(node) || (ts.isNewExpression(node) && COLLECTIONS.includes(node.expression.getText()));

function changedByMethod(node: ts.Node, lists: ReadonlySet<string>): string | null {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return null;
  const { expression, name } = node.expression;
  return CHANGING.includes(name.text) && lists.has(expression.getText()) ? expression.getText() : null;
}

function changedBy(node: ts.Node): ts.Expression | null {
  if (ts.isBinaryExpression(node)) return /^[^=!<>]*=$/.test(node.operatorToken.getText()) ? node.left : null;
  const isStep = (ts.isPostfixUnaryExpression(node) || ts.isPrefixUnaryExpression(node)) && /\+\+|--/.test(node.getText());
  return isStep ? node.operand : null;
}

test('no module holds what changes while the process runs: it belongs to a Core, a connection, or an object made where processes begin', () => {
  expect(sources.length).toBeGreaterThan(500);
  expect(sources.flatMap((file) => stateIn(file, readFileSync(path.join(ROOT, file), 'utf8')))).toEqual([]);
});

test.each([
  ['let last = 0;', 'last is a variable'],
  ['export const known = new Map<string, number>();', 'known holds a Map'],
  ['const cache = new LRUCache<string, string>({ max: 10 });', 'cache holds a LRUCache'],
  ['const kept = { known: new Map() };', 'kept holds a Map'],
  ['const waiting: string[] = [];', 'waiting is a list'],
  ["import { batched } from '../platform/batch';\nconst load = batched(async () => new Map());", 'load holds a batched'],
  ['const one = new Parser();', 'one holds a Parser'],
  ['const count = { times: 0 };\nexport const next = () => ++count.times;', 'count changes'],
  ["const seen = ['a'];\nexport const see = (what: string) => seen.push(what);", 'seen changes'],
  ['const known = new WeakMap<Dns, string>();', 'known holds a WeakMap by a part of a core'],
  ["const known = new WeakMap<Core['log'], string>();", 'known holds a WeakMap by a part of a core'],
  [
    'const sdk = hook<object>();\nexport const note = (made: object) => sdk.answer("a", made);',
    'sdk is answered outside the composition root',
  ],
  ['class Known {\n  static last = 0;\n}', 'last is a variable'],
  ['class Known {\n  private static readonly all = new Map<string, number>();\n}', 'all holds a Map'],
])('%s is found', (text, fault) => {
  expect(stateIn('a.ts', text)).toEqual([`a.ts: ${fault}`]);
});

test.each([
  'const NAMES: ReadonlySet<string> = new Set(["a"]);',
  'const known = perCore(() => new Map<string, number>());',
  'const notes = new WeakMap<object, string>();',
  'const PATTERN = new RegExp("a");',
  'class Known {\n  static of = () => new Known();\n}',
  'export function count() {\n  let times = 0;\n  return ++times;\n}',
])('%s is allowed', (text) => {
  expect(stateIn('a.ts', text)).toEqual([]);
});
