// Checks the words of comments, of the console and of the API's descriptions by docs/writing.md; textlint checks the guides.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import ts from 'typescript';

const FOLDERS = [
  '.ci',
  'activities',
  'api',
  'bench',
  'clients/typescript/src',
  'console',
  'packages',
  'src',
  'test/support',
  'worker',
  'workflows',
];
const GENERATED = /^clients\/typescript\/src\/(?:schema|operations)\.ts$/;
const CODE = /\.[cm]?[jt]sx?$/;

/** First words of a doc comment that begin no plain sentence. */
const FIRST = /^(?:Of|What|Whatever|So (?:many|long|much|often)|By|For so|As|How|Where|Whose|That|Those|Who|Whom|Whoever|Makes?|Has)\b/;

/** First words of a function's doc comment that are no verb: it says what the function does. Types, constants and fields may begin with a noun. */
const FIRST_OF_FUNCTION =
  /^(?:A|After|All|Also|An|Another|Any|At|Behind|Each|Every|Everything|Except|Few|First|For|Form|From|Here|If|In|Into|It|Its|Like|Milliseconds|Neither|Never|No|Not|Null|One|Only|Safe|Seconds|Several|Some|Something|Such|Text|The|There|This|To|Undefined|Unless|Until|When|Whether|Which|While|Why|With|Without)\b/;

/** Words to avoid in comments and texts, with the words to use, beyond those that textlint knows. */
const FURTHER = [
  [/\bgo(?:es)? on\b|\bwent on\b/i, 'continues, resumes'],
  [/\b(?:after|for|takes?|at most|than|up to) so (?:many|long|much|often)\b|\bSo (?:many|long|much)\b/, 'this many, for this long'],
  [/\bthat there (?:is|are)[.,;:)]|\b(?:is|are) there(?: already)?[.,;:)]/i, 'exists, does not exist'],
  [/\bthemselves\b(?<=\bby themselves)|\bby oneself\b/i, 'automatically, separately'],
  [/\bwhat becomes of\b/i, 'the outcome of'],
  [/\bbesides?\b/i, 'next to, in addition to'],
  [/\b(?:is|are|was|were|be|been) told\b/i, 'notified, gets'],
  [/\blift(?:s|ed)?\b/i, 'remove'],
  [/\bstands?\b(?!-| for\b)|\bstood\b/i, 'is'],
  [/\b(?:put|puts|putting) off\b/i, 'defer'],
  [/\bfor ever\b/i, 'forever'],
  [/\blook(?:s|ed|ing)? at (?:it|them|this|that)?\s*again\b|\blooked at\b/i, 'check'],
  [/\b(?:look|looks|looked)-ups?\b/i, 'lookup'],
  [/\benrol(?:s|ments?)\b/i, 'enroll, enrollment'],
  [/\b(?:normali|reali|summari|authori)se[sd]?\b|\b(?:colours|serialises|recognises|labelled|signalled)\b/i, 'American spelling'],
];

/** A path of the checkout in a comment, and the heading of a page after it: `docs/x.md, Heading`. */
const PATH =
  /(?<![\w/.:-])((?:activities|api|bench|clients|console|deploy|docs|packages|src|test|worker|workflows)\/[\w./-]*\w)(?:, ([A-Z][\w '-]*\w))?/g;

const { terms } = createRequire(import.meta.url)('../.textlintrc.cjs').rules.terminology;
const WORDS = [...terms.map(([word, use]) => [new RegExp(`\\b(?:${word})s?\\b`, 'i'), use]), ...FURTHER];

const faults = [];
const fault = (where, text, use) => faults.push(`${where}: ${use}\n    ${text.length > 160 ? `${text.slice(0, 160)}…` : text}`);

function judge(where, text) {
  const plain = text.replaceAll(/`[^`]*`/g, '``');
  for (const [word, use] of WORDS) {
    const found = word.exec(plain);
    if (found) fault(where, text, `write “${use}” instead of “${found[0]}”`);
  }
}

/** Returns whether a page has a heading that begins so. */
const hasHeading = (page, beginning) =>
  readFileSync(page, 'utf8')
    .split('\n')
    .some((line) => /^#+ /.test(line) && line.replace(/^#+ /, '').startsWith(beginning));

/** Checks that the files that a comment names exist, also those named without their endings or titles, and the headings of pages. */
function checkPaths(where, text) {
  for (const [, written, heading] of text.matchAll(PATH)) {
    const { dir, base } = path.parse(written);
    const isNamed = (file) => file.startsWith(`${base}.`) || file.startsWith(`${base}-`);
    if (!existsSync(written) && !(existsSync(dir) && readdirSync(dir).some(isNamed))) fault(where, text, `“${written}” does not exist`);
    else if (heading !== undefined && !hasHeading(written, heading)) fault(where, text, `${written} has no heading “${heading}”`);
  }
}

/** Returns the comments of a file with their lines. */
function commentsIn(source) {
  const { text } = source;
  const ranges = new Map();
  const visit = (node) => {
    const trivia = [ts.getLeadingCommentRanges(text, node.getFullStart()), ts.getTrailingCommentRanges(text, node.getEnd())];
    for (const range of trivia.flatMap((list) => list ?? [])) ranges.set(range.pos, range);
    if (node.kind !== ts.SyntaxKind.JsxText)
      node
        .getChildren(source)
        .filter(({ kind }) => kind !== ts.SyntaxKind.JSDoc)
        .forEach(visit);
  };
  visit(source);
  return [...ranges.values()].map(({ pos, end }) => ({
    line: source.getLineAndCharacterOfPosition(pos).line + 1,
    isDoc: text.startsWith('/**', pos),
    text: text
      .slice(pos, end)
      .replaceAll(/^\/\*+|\*+\/$/g, '')
      .replaceAll(/^\s*(?:\/\/|\*) ?/gm, '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  }));
}

/** Returns the doc comments of a file's functions and methods with their lines; of constructors, the comment is about a parameter. */
function docsOfFunctions(source) {
  const isFunction = (node) => node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node));
  const docs = [];
  const visit = (node) => {
    const [declared] = ts.isVariableStatement(node) ? node.declarationList.declarations : [node];
    const isOne = ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || isFunction(declared.initializer);
    const doc = isOne ? node.jsDoc?.at(-1) : undefined;
    if (doc) {
      const line = source.getLineAndCharacterOfPosition(doc.getStart(source)).line + 1;
      docs.push({ line, text: ts.getTextOfJSDocComment(doc.comment) ?? '' });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return docs;
}

/** Returns the texts of a file of the console that people may read: whatever has a space in it. */
function stringsIn(source) {
  const texts = [];
  const visit = (node) => {
    const isText =
      ts.isStringLiteralLike(node) ||
      node.kind === ts.SyntaxKind.JsxText ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node);
    const text = isText ? node.text.replaceAll(/\s+/g, ' ').trim() : '';
    if (/[a-z] [a-z]/i.test(text)) texts.push({ line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1, text });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts;
}

function checkFile(file) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  for (const { line, isDoc, text } of commentsIn(source)) {
    judge(`${file}:${line}`, text);
    checkPaths(`${file}:${line}`, text);
    const first = isDoc && FIRST.exec(text);
    if (first) fault(`${file}:${line}`, text, `begin with a verb or a noun instead of “${first[0]}”`);
  }
  if (!file.startsWith('test/'))
    for (const { line, text } of docsOfFunctions(source)) {
      const [first] = FIRST_OF_FUNCTION.exec(text) ?? [];
      if (first) fault(`${file}:${line}`, text, `begin with a verb, such as “Returns” or “Resolves to”, instead of “${first}”`);
    }
  if (file.startsWith('console/src/')) for (const { line, text } of stringsIn(source)) judge(`${file}:${line}`, text);
}

/** Checks the summaries and descriptions of the API's document. */
function checkDescriptions(value, path = 'docs/openapi.json ') {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if ((name === 'summary' || name === 'description') && typeof member === 'string') judge(path, member);
    else checkDescriptions(member, `${path}/${name}`);
  }
}

const files = execFileSync('git', ['ls-files', ...FOLDERS], { encoding: 'utf8' }).split('\n');
const checked = files.filter((file) => CODE.test(file) && !GENERATED.test(file) && file !== '.ci/words.mjs');
checked.forEach(checkFile);
checkDescriptions(JSON.parse(readFileSync('docs/openapi.json', 'utf8')));
for (const line of faults) console.error(line);
console.log(`The words of ${checked.length} files checked: ${faults.length} faults`);
process.exitCode = faults.length > 0 ? 1 : 0;
