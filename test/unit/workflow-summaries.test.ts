import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import * as ts from 'typescript';

const FOLDER = path.resolve(__dirname, '../../workflows');
const FILES = readdirSync(FOLDER).filter((file) => file.endsWith('.ts'));

/** The option in which a call of the Temporal SDK says what it is for; null where it needs none, as an untimed `condition`. */
function optionNeeded(name: string, args: readonly ts.Expression[]): string | null {
  if (name === 'sleep' || (name === 'condition' && args.length > 1)) return 'summary';
  return name === 'executeChild' ? 'staticSummary' : null;
}

const gives = (args: readonly ts.Expression[], option: string): boolean =>
  args.some((arg) => ts.isObjectLiteralExpression(arg) && arg.properties.some((property) => property.name?.getText() === option));

function callsIn(file: string): readonly ts.CallExpression[] {
  const source = ts.createSourceFile(file, readFileSync(path.join(FOLDER, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const calls: ts.CallExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) calls.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return calls;
}

const CALLS = FILES.flatMap((file) => callsIn(file).map((call) => ({ file, call, name: call.expression.getText() })));

test('each timer and each child of a workflow says what it is for', () => {
  const needing = CALLS.flatMap(({ file, call, name }) => {
    const option = optionNeeded(name, call.arguments);
    return option === null ? [] : [{ said: gives(call.arguments, option), text: `${file}: ${call.getText()}` }];
  });
  expect(needing.length).toBeGreaterThan(10);
  expect(needing.flatMap(({ said, text }) => (said ? [] : text))).toEqual([]);
});

test('activities are called through `summarizedActivities`, which says what each does', () => {
  const direct = CALLS.filter(({ file, name }) => name === 'proxyActivities' && file !== 'summarized.ts');
  expect(direct.map(({ file }) => file)).toEqual([]);
});
