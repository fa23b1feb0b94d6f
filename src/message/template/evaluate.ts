import { FixedText, textOf } from '../mime';
import type { Piece } from '../mime';
import { escapeValue, isMissing, isTruthy, ownProperty, textCost, toText } from './values';
import { helperNamed } from './helpers';
import { htmlToText } from './plain-text';
import type { Expression, Leaf, LinkLeaf, OpenLeaf, Origin, ValueLeaf } from './leaves';
import { attributeOf, rewriteHref, urlOf } from './links';
import type { RenderState } from './state';

/** Writes a part of the output and counts its growth. */
export type Write = (state: RenderState) => void;

/** Returns a piece of the literal text of a template. */
type Literally = (text: string) => Piece;

/** Keeps what is derived from a piece: its content renders many messages. */
const forMany: Literally = (text) => new FixedText(text);
/** Keeps nothing: the content renders one message. */
const forOne: Literally = (text) => text;

type Read = (state: RenderState) => unknown;

const NOTHING: Write = () => undefined;

/** Most values are an ASCII word, and scanning that is cheaper than a native call. */
const SHORT = 32;

function bytesOf(text: string): number {
  if (text.length > SHORT) return Buffer.byteLength(text);
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return Buffer.byteLength(text);
  return text.length;
}

/** The cost of turning markup into text, relative to other passes over a text. */
const STRIP_COST = 16;

function readOrigin(origin: Exclude<Origin, { from: 'values' }>): Read {
  if (origin.from === 'system') return ({ system }) => system[origin.name];
  if (origin.from === 'context') return ({ contexts }) => contexts[origin.slot];
  const { loop, field } = origin;
  if (field === 'first') return ({ loops }) => loops[loop]?.index === 0;
  return ({ loops }) => loops[loop]?.[field];
}

function readPath(origin: Origin, parts: readonly string[]): Read {
  const start: Read = origin.from === 'values' ? ({ values }) => values : readOrigin(origin);
  const cost = 1 + parts.length;
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) {
    return (state) => {
      state.spend(cost);
      return ownProperty(start(state), only);
    };
  }
  return (state) => {
    state.spend(cost);
    let value = start(state);
    for (const part of parts) value = ownProperty(value, part);
    return value;
  };
}

function readExpression(expression: Expression): Read {
  if (expression.kind === 'literal') return () => expression.value;
  if (expression.kind === 'path') return readPath(expression.origin, expression.parts);
  const { run } = helperNamed(expression.helper);
  const args = expression.args.map(readExpression);
  const options = [...expression.options].map(([name, value]) => ({ name, read: readExpression(value) }));
  const cost = 2 + args.length + options.length;
  return (state) => {
    state.spend(cost);
    const given: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
    for (const { name, read } of options) given[name] = read(state);
    return run(
      args.map((read) => read(state)),
      given,
      state,
    );
  };
}

/** Returns how a string is named in a template: `t "greeting"`. */
const nameOfString = ({ args: [key] }: Extract<Expression, { readonly kind: 'call' }>): string =>
  `t "${key?.kind === 'literal' ? String(key.value) : ''}"`;

/** Lists the paths that an expression reads, by their names in the template. */
function pathsIn(expression: Expression): readonly { readonly name: string; readonly read: Read }[] {
  if (expression.kind === 'literal') return [];
  if (expression.kind === 'call' && expression.helper === 't')
    return [{ name: nameOfString(expression), read: readExpression(expression) }];
  if (expression.kind === 'call') return expression.args.flatMap(pathsIn);
  const { origin, parts } = expression;
  return origin.from === 'values' || origin.from === 'context' ? [{ name: parts.join('.') || 'this', read: readPath(origin, parts) }] : [];
}

/** Notes the missing name where a placeholder without a fallback resolves to nothing. */
function noteMissing({ value, fallback }: ValueLeaf): Write {
  const paths = fallback === null ? pathsIn(value) : [];
  return (state) => {
    if (state.missed) for (const { name, read } of paths) if (isMissing(read(state))) state.missed.add(name);
  };
}

function writeValue(leaf: ValueLeaf, literally: Literally): Write {
  const { value, fallback, style } = leaf;
  const read = readExpression(value);
  const note = noteMissing(leaf);
  const convert = style === 'escaped' ? escapeValue : style === 'stripped' ? (markup: string) => htmlToText(markup) : null;
  const fallbackText = style === 'escaped' ? escapeValue(fallback ?? '') : (fallback ?? '');
  const insteadBytes = Buffer.byteLength(fallbackText);
  const instead = literally(fallbackText);
  return (state) => {
    const found = read(state);
    if (isMissing(found)) {
      note(state);
      state.grow(insteadBytes);
      if (insteadBytes > 0) state.out.push(instead);
      return;
    }
    const text = toText(found, state);
    state.checkRoom(text.length);
    if (style === 'stripped') state.spend(textCost(text.length) * STRIP_COST);
    const converted = convert ? convert(text) : text;
    state.grow(bytesOf(converted));
    if (converted !== '') state.out.push(converted);
  };
}

function writeCondition({ block, subject, includeZero }: OpenLeaf, body: Write, inverse: Write): Write {
  const read = readExpression(subject);
  const readZero = includeZero && readExpression(includeZero);
  const wanted = block === 'if';
  return (state) => {
    state.spend(1);
    const value = read(state);
    const holds = isTruthy(value) || (value === 0 && readZero !== null && isTruthy(readZero(state)));
    if (holds === wanted) body(state);
    else inverse(state);
  };
}

function writeWith({ subject, slot }: OpenLeaf, body: Write, inverse: Write): Write {
  const read = readExpression(subject);
  return (state) => {
    state.spend(1);
    const value = read(state);
    if (!isTruthy(value) && value !== 0) return inverse(state);
    state.contexts[slot] = value;
    body(state);
  };
}

/** Lists the keys that an `each` walks over: none unless the value is a list or an object. */
function keysOf(value: unknown): readonly string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}

function writeEach({ subject, slot, loop }: OpenLeaf, body: Write, inverse: Write): Write {
  const read = readExpression(subject);
  return (state) => {
    state.spend(1);
    const value = read(state);
    const keys = Array.isArray(value) ? null : keysOf(value);
    const count = keys ? keys.length : (value as readonly unknown[]).length;
    if (count === 0) return inverse(state);
    state.iterate(count);
    state.spend(count);
    const counters = { index: 0, key: 0 as string | number, last: false };
    state.loops[loop] = counters;
    for (let index = 0; index < count; index++) {
      const key = keys ? keys[index]! : index;
      counters.index = index;
      counters.key = key;
      counters.last = index === count - 1;
      state.contexts[slot] = (value as Record<string | number, unknown>)[key];
      body(state);
    }
  };
}

/** Writes a link. A link that the content contains literally is parsed once; any other one on each rendering. */
function writeLink({ leaves, trackable, quoted }: LinkLeaf, literally: Literally): Write {
  const [only] = leaves;
  if (leaves.length === 1 && only?.kind === 'text') return writeFixedLink(only.text, quoted, literally);
  const write = new Compiler(leaves, literally).sequence();
  return (state) => {
    state.spend(1);
    state.out.push(rewriteHref(textOf(state.written(write)), { trackable, quoted }, state));
  };
}

/** Writes a literal link; only one that counts clicks differs between renderings. */
function writeFixedLink(attribute: string, quoted: boolean, literally: Literally): Write {
  const asWritten = literally(attribute);
  const bytes = Buffer.byteLength(attribute);
  const url = urlOf(attribute);
  return (state) => {
    state.spend(1);
    state.grow(bytes);
    const link = state.tracked(url, true);
    if (link === null) state.out.push(asWritten);
    else state.out.push(...attributeOf(link, quoted));
  };
}

class Compiler {
  private next = 0;

  constructor(
    private readonly leaves: readonly Leaf[],
    private readonly literally: Literally,
  ) {}

  /** Compiles up to the end of the list, or to the `else` or `close` that ends this block. */
  sequence(): Write {
    const writes: Write[] = [];
    let fixed = 0;
    for (let leaf = this.leaves[this.next]; leaf && leaf.kind !== 'else' && leaf.kind !== 'close'; leaf = this.leaves[this.next]) {
      if (leaf.kind === 'text') {
        const text = this.textRun();
        const piece = this.literally(text);
        fixed += Buffer.byteLength(text);
        writes.push(({ out }) => void out.push(piece));
      } else {
        this.next += 1;
        writes.push(this.dynamic(leaf));
      }
    }
    return joined(writes, fixed);
  }

  private textRun(): string {
    const from = this.next;
    while (this.leaves[this.next]?.kind === 'text') this.next += 1;
    return this.leaves
      .slice(from, this.next)
      .map((leaf) => (leaf.kind === 'text' ? leaf.text : ''))
      .join('');
  }

  private dynamic(leaf: Exclude<Leaf, { kind: 'text' | 'else' | 'close' }>): Write {
    if (leaf.kind === 'value') return writeValue(leaf, this.literally);
    if (leaf.kind === 'link') return writeLink(leaf, this.literally);
    if (leaf.kind === 'slot') return (state) => void state.out.push(...state[leaf.slot]);
    const body = this.sequence();
    const hasElse = this.leaves[this.next]?.kind === 'else';
    if (hasElse) this.next += 1;
    const inverse = hasElse ? this.sequence() : NOTHING;
    this.next += 1;
    if (leaf.block === 'each') return writeEach(leaf, body, inverse);
    return leaf.block === 'with' ? writeWith(leaf, body, inverse) : writeCondition(leaf, body, inverse);
  }
}

function joined(writes: readonly Write[], fixed: number): Write {
  if (writes.length === 0) return NOTHING;
  return (state) => {
    state.grow(fixed);
    for (const write of writes) write(state);
  };
}

/**
 * Compiles leaves to a function without generating code: a template can do only what the functions here do. `once`: for a single message, whose output is
 * not worth keeping in pieces.
 */
export function compileLeaves(leaves: readonly Leaf[], once: boolean): Write {
  return new Compiler(leaves, once ? forOne : forMany).sequence();
}
