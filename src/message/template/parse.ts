import Handlebars from 'handlebars';
import { STRING_KEY } from '../../rules/strings';
import { parseFault, located, unknownBlock, unknownHelper } from './faults';
import type { Fault, OffsetFault } from './faults';
import { HELPER_NAMES, helperNamed, isHelperName } from './helpers';
import type { Expression, Leaf, Literal, OpenLeaf, Origin, Style } from './leaves';
import { noReads } from './inspect';
import type { Parsed, Reads } from './inspect';
import { SKELETON_CHARACTERS, skeletonOf, withTexts } from './skeleton';
import type { Reused } from './skeleton';
import { isForbiddenName } from './values';
import { ScanError, scanTemplate } from './scan';
import type { Scan, Tag } from './scan';

export interface ParsedTemplate {
  readonly leaves: readonly Leaf[];
  readonly faults: readonly Fault[];
}

const MOST_FAULTS = 50;
const SYSTEM_NAMES = ['unsubscribeUrl', 'preferencesUrl', 'viewInBrowserUrl', 'year'] as const;
const BLOCKS = ['if', 'unless', 'each', 'with'] as const;
const LOOP_FIELDS = ['index', 'key', 'first', 'last'] as const;
const MISSING: Expression = { kind: 'literal', value: undefined };

/** A context that paths can refer to: the root has slot 0. */
interface Scope {
  readonly slot: number;
  readonly loop: number | null;
  readonly names: readonly string[];
}

type Ast = hbs.AST.Expression;
type Call = hbs.AST.MustacheStatement | hbs.AST.BlockStatement | hbs.AST.SubExpression;

const isPath = (node: Ast): node is hbs.AST.PathExpression => node.type === 'PathExpression';

/** Returns the name of a helper or block, which is one plain word; null for a path. */
function plainName(path: Ast): string | null {
  if (!isPath(path) || path.data || path.depth > 0 || path.parts.length !== 1) return null;
  return path.original === path.parts[0] ? path.parts[0] : null;
}

const readsString = (value: Expression): boolean =>
  value.kind === 'call' && (value.helper === 't' || value.args.some(readsString) || [...value.options.values()].some(readsString));

/** Turns the parser's tree into leaves; unsupported syntax becomes a fault at its tag. */
class Reader {
  readonly leaves: Leaf[] = [];
  readonly faults: OffsetFault[] = [];
  private readonly scopes: Scope[] = [{ slot: 0, loop: null, names: [] }];
  private nextTag = 0;
  private tag: Tag = { offset: 0, kind: 'statement', fallback: false };

  constructor(
    private readonly tags: readonly Tag[],
    readonly reads: Reads,
    private readonly valueStyle: Style,
  ) {}

  program(program: hbs.AST.Program | undefined): void {
    for (const statement of program?.body ?? []) this.statement(statement);
  }

  private statement(node: hbs.AST.Statement): void {
    if (node.type === 'ContentStatement') {
      this.leaves.push({ kind: 'text', text: (node as hbs.AST.ContentStatement).value });
    } else if (node.type !== 'CommentStatement') {
      this.tag = this.takeTag();
      if (node.type === 'MustacheStatement') this.mustache(node as hbs.AST.MustacheStatement);
      else if (node.type === 'BlockStatement') this.block(node as hbs.AST.BlockStatement);
      else this.refuse(node);
    }
  }

  private takeTag(): Tag {
    const tag = this.tags[this.nextTag++];
    if (!tag) throw new ScanError(this.tag.offset, 'This tag cannot be read');
    return tag;
  }

  private fault(message: string): Expression {
    if (this.faults.length < MOST_FAULTS) this.faults.push({ offset: this.tag.offset, message });
    return MISSING;
  }

  private refuse(node: { readonly type: string; readonly program?: hbs.AST.Program }): void {
    this.fault(
      node.type.startsWith('Partial')
        ? 'Partials are not supported: write their content into the template'
        : 'Decorators are not supported',
    );
    this.program(node.program);
  }

  private mustache(node: hbs.AST.MustacheStatement): void {
    const params = this.tag.fallback ? node.params.slice(0, -1) : node.params;
    const fallback = this.tag.fallback ? (node.params.at(-1) as hbs.AST.StringLiteral).value : null;
    const isCall = params.length > 0 || node.hash !== undefined;
    const value = isCall ? this.call(node, params) : this.value(this.asPath(node.path));
    if (!node.escaped && this.valueStyle === 'escaped' && readsString(value))
      this.fault('A translation is always escaped: {{t "greeting"}}');
    this.leaves.push({ kind: 'value', value, fallback, style: node.escaped ? this.valueStyle : 'raw' });
  }

  /** Converts a lone literal to a path, as Handlebars reads it as the name of a variable. */
  private asPath(node: Ast): Ast {
    if (isPath(node)) return node;
    const name = String((node as hbs.AST.StringLiteral).original);
    return { type: 'PathExpression', loc: node.loc, data: false, depth: 0, parts: [name], original: name } as Ast;
  }

  private call(node: Call, params: readonly Ast[]): Expression {
    const name = plainName(node.path);
    const written = String((node.path as hbs.AST.PathExpression).original);
    if (BLOCKS.some((block) => block === name)) return this.fault(`"${written}" is a block: {{#${written} …}}`);
    if (name === null || !isHelperName(name)) return this.fault(unknownHelper(written, HELPER_NAMES));
    const { least, most, options } = helperNamed(name);
    if (params.length < least || params.length > most) {
      const wanted = least === most ? String(least) : `${least} to ${most}`;
      this.fault(`"${name}" takes ${wanted} values, not ${params.length}`);
    }
    const args = params.map((param) => this.value(param));
    if (name === 't') this.readString(args[0]);
    return { kind: 'call', helper: name, args, options: this.options(name, options, node.hash) };
  }

  /** Notes that a string of the project is read, which is chosen by the reader's locale. */
  private readString(key: Expression | undefined): void {
    this.reads.names.add('locale');
    if (key?.kind !== 'literal' || !STRING_KEY.test(String(key.value))) this.fault('"t" takes the key of a translation: {{t "greeting"}}');
    else if (!this.tag.fallback) this.reads.strings.add(String(key.value));
  }

  private options(name: string, known: readonly string[], hash: hbs.AST.Hash | undefined): ReadonlyMap<string, Expression> {
    return new Map(
      (hash?.pairs ?? []).map(({ key, value }) => {
        if (!known.includes(key)) this.fault(`"${name}" has no option "${key}"`);
        return [key, this.value(value)];
      }),
    );
  }

  private value(node: Ast): Expression {
    if (isPath(node)) return this.path(node);
    if (node.type === 'SubExpression') return this.call(node as hbs.AST.SubExpression, (node as hbs.AST.SubExpression).params);
    return { kind: 'literal', value: (node as hbs.AST.StringLiteral).value as Literal };
  }

  private path(path: hbs.AST.PathExpression): Expression {
    if (path.parts.some(isForbiddenName)) return MISSING;
    if (path.data) return this.dataPath(path);
    const isScoped = path.depth > 0 || /^(?:\.|this\b)/.test(path.original);
    return (isScoped ? null : this.blockParameter(path)) ?? this.contextPath(this.scopes.at(-1 - path.depth), path.parts);
  }

  private contextPath(scope: Scope | undefined, parts: readonly string[]): Expression {
    if (!scope) return MISSING;
    return scope.slot === 0 ? this.rootPath(parts) : { kind: 'path', origin: { from: 'context', slot: scope.slot }, parts };
  }

  private blockParameter(path: hbs.AST.PathExpression): Expression | null {
    const [head, ...rest] = path.parts;
    const scope = this.scopes.findLast(({ names }) => head !== undefined && names.includes(head));
    if (!scope) return null;
    const isKey = scope.names.indexOf(head!) === 1 && scope.loop !== null;
    const origin: Origin = isKey ? { from: 'loop', loop: scope.loop, field: 'key' } : { from: 'context', slot: scope.slot };
    return { kind: 'path', origin, parts: rest };
  }

  private rootPath(parts: readonly string[]): Expression {
    const [name, key] = parts;
    if (name === undefined) return this.fault('Name one variable; all of them together cannot be used');
    const system = SYSTEM_NAMES.find((each) => each === name);
    if (system) {
      this.reads.system.add(system);
      return { kind: 'path', origin: { from: 'system', name: system }, parts: parts.slice(1) };
    }
    this.reads.names.add(name);
    if (name === 'data' && key === undefined) this.reads.dataKeys = null;
    if (name === 'data' && key !== undefined) this.reads.dataKeys?.add(key);
    return { kind: 'path', origin: { from: 'values' }, parts };
  }

  private dataPath({ parts, depth }: hbs.AST.PathExpression): Expression {
    const [name, ...rest] = parts;
    if (name === 'root') return this.rootPath(rest);
    const field = LOOP_FIELDS.find((each) => each === name);
    const loop = this.scopes.filter((scope) => scope.loop !== null).at(-1 - depth)?.loop ?? null;
    return field && loop !== null ? { kind: 'path', origin: { from: 'loop', loop, field }, parts: rest } : MISSING;
  }

  private block(node: hbs.AST.BlockStatement): void {
    const name = BLOCKS.find((each) => each === plainName(node.path));
    const isInverted = this.tag.kind === 'inverted';
    const open = this.open(name, node);
    this.leaves.push(open);
    const body = () => this.scoped(open, node.program?.blockParams ?? [], () => this.program(node.program));
    if (!isInverted) body();
    // The second half of an inverted block is its body, yet the parser's tags come in the order of the text.
    const at = this.leaves.length;
    if (node.inverse) this.program(node.inverse);
    const inverse = this.leaves.splice(at);
    if (isInverted) body();
    if (node.inverse) this.leaves.push({ kind: 'else' }, ...inverse);
    this.leaves.push({ kind: 'close' });
  }

  private open(name: OpenLeaf['block'] | undefined, node: hbs.AST.BlockStatement): OpenLeaf {
    if (!name) {
      const subject = this.fault(unknownBlock(String(node.path.original), node.params.length > 0, BLOCKS));
      return { kind: 'open', block: 'if', subject, includeZero: null, slot: 0, loop: 0 };
    }
    if (node.params.length !== 1) this.fault(`"${name}" accepts one value`);
    const subject = node.params[0] ? this.value(node.params[0]) : MISSING;
    this.refuseString(name, subject);
    let includeZero: Expression | null = null;
    for (const { key, value } of node.hash?.pairs ?? []) {
      if (key === 'includeZero' && (name === 'if' || name === 'unless')) includeZero = this.value(value);
      else this.fault(`"${name}" has no option "${key}"`);
    }
    const loops = this.scopes.filter((scope) => scope.loop !== null).length;
    return { kind: 'open', block: name, subject, includeZero, slot: this.scopes.length, loop: loops };
  }

  /** Within the block, a translation would be a value like any other, which {{{this}}} writes as it is. */
  private refuseString(name: OpenLeaf['block'], subject: Expression): void {
    if ((name === 'with' || name === 'each') && this.valueStyle === 'escaped' && readsString(subject))
      this.fault(`"${name}" takes no translation: write {{t "greeting"}} where it is shown`);
  }

  private scoped(open: OpenLeaf, names: readonly string[], read: () => void): void {
    const most = open.block === 'each' ? 2 : open.block === 'with' ? 1 : 0;
    if (names.length > most) this.fault(`"${open.block}" names at most ${most} values`);
    if (most === 0) return read();
    this.scopes.push({ slot: open.slot, loop: open.block === 'each' ? open.loop : null, names });
    read();
    this.scopes.pop();
  }
}

/** Parses by the skeleton; null when the template has to be parsed with its words. */
function parseSkeleton(scan: Scan, valueStyle: Style, skeletons: Reused['skeletons']): Parsed | null {
  const skeleton = skeletonOf(scan);
  if (!skeleton) return null;
  const key = `${valueStyle} ${skeleton.source}`;
  const known = skeletons.get(key) ?? readSkeleton(skeleton.source, scan.tags, valueStyle);
  if (!known) return null;
  if (key.length < SKELETON_CHARACTERS) skeletons.set(key, known, { size: key.length });
  return { leaves: withTexts(known.leaves, skeleton.texts), reads: known.reads };
}

/** Parses a skeleton; null when it has faults, whose positions only the template itself shows. */
function readSkeleton(source: string, tags: readonly Tag[], valueStyle: Style): Parsed | null {
  const reader = new Reader(tags, noReads(), valueStyle);
  try {
    reader.program(Handlebars.parse(source));
  } catch {
    return null;
  }
  return reader.faults.length === 0 ? { leaves: reader.leaves, reads: reader.reads } : null;
}

function addReads(to: Reads, { names, system, dataKeys, strings }: Reads): void {
  for (const name of names) to.names.add(name);
  for (const name of system) to.system.add(name);
  for (const key of strings) to.strings.add(key);
  if (dataKeys === null) to.dataKeys = null;
  else for (const key of dataKeys) to.dataKeys?.add(key);
}

/**
 * Reads a template: Handlebars' grammar and whitespace rules, and the fallback syntax. Every root name that it reads is added to `reads`.
 * With `valueStyle` 'raw' nothing is escaped, as in a subject or a text part. Throws nothing: mistakes are in `faults`.
 */
export function parseTemplate(source: string, valueStyle: Style, reads: Reads, skeletons: Reused['skeletons']): ParsedTemplate {
  try {
    const scan = scanTemplate(source);
    const parsed = parseSkeleton(scan, valueStyle, skeletons);
    if (parsed) {
      addReads(reads, parsed.reads);
      return { leaves: parsed.leaves, faults: [] };
    }
    const reader = new Reader(scan.tags, reads, valueStyle);
    reader.program(Handlebars.parse(scan.source));
    return { leaves: reader.leaves, faults: located(source, reader.faults) };
  } catch (error) {
    return { leaves: [], faults: located(source, [error instanceof ScanError ? error : parseFault(error)]) };
  }
}
