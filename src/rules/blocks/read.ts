import { DESIGN_VERSION, FONTS, OPERATORS } from './model';
import type { Block, BlockKind, Design } from './model';
import { isLink, isLiteral, isName, isPath, isSource, isTranslationKey } from './syntax';

/** Blocks of a design, those inside of others included. */
const MOST_BLOCKS = 300;
/** Blocks inside of blocks: templates nest up to ten, and a repetition, a condition or columns are enough for any mail. */
const DEEPEST = 5;
const MOST_LINES = 200;
const MOST_SPANS = 200;
const LONGEST_TEXT = 10_000;
const LONGEST_HTML = 100_000;
const LONGEST_LINK = 2_000;
export const LONGEST_LABEL = 200;

/** A fault of a design, with its place: `blocks.2.link`. */
interface DesignFault {
  readonly path: string;
  readonly message: string;
}

type Read = { readonly design: Design; readonly faults?: never } | { readonly faults: readonly DesignFault[]; readonly design?: never };

interface Reading {
  readonly faults: DesignFault[];
  readonly ids: Set<string>;
  blocks: number;
}

type Check = (value: unknown, path: string, reading: Reading) => void;
type Members = Readonly<Record<string, Check>>;

const MOST_FAULTS = 50;

function fault(reading: Reading, path: string, message: string): void {
  if (reading.faults.length < MOST_FAULTS) reading.faults.push({ path, message });
}

const when =
  (holds: (value: unknown) => boolean, message: string): Check =>
  (value, path, reading) => {
    if (!holds(value)) fault(reading, path, message);
  };

const text = (longest: number, holds: (text: string) => boolean = () => true, message = 'Must be text'): Check =>
  when(
    (value) => typeof value === 'string' && value.length <= longest && holds(value),
    message === 'Must be text' ? `Must be text of at most ${longest} characters` : message,
  );

const whole = (least: number, most: number): Check =>
  when(
    (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
    `Must be a whole number from ${least} to ${most}`,
  );

const oneOf = (values: readonly unknown[]): Check => when((value) => values.includes(value), `Must be one of ${values.join(', ')}`);

const yes: Check = when((value) => typeof value === 'boolean', 'Must be true or false');
const color = text(7, (value) => /^#[\da-f]{6}$/i.test(value), 'Must be a color such as #1a7f5a');
const path = text(700, isPath, 'Must be the name of a field, such as firstName or data.plan');
const key = text(100, isTranslationKey, 'Must be the key of a translation, such as greeting');
const link = text(LONGEST_LINK, isLink, 'Must be an http:, https:, mailto: or tel: address, or one placeholder');
const source = text(LONGEST_LINK, isSource, 'Must be an http: or https: address of a picture, or one placeholder');
const label = text(LONGEST_LABEL);
const quotable = text(LONGEST_LABEL, isLiteral, `Must be text of at most ${LONGEST_LABEL} characters, without backslashes and line breaks`);
const align = oneOf(['left', 'center', 'right']);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const under = (path: string, key: string | number): string => (path === '' ? String(key) : `${path}.${key}`);

const list =
  (element: Check, most: number, least = 0): Check =>
  (value, at, reading) => {
    if (!Array.isArray(value) || value.length < least || value.length > most)
      fault(reading, at, `Must be a list of ${least === 0 ? `at most ${most}` : `${least} to ${most}`} elements`);
    else value.forEach((each: unknown, index) => element(each, under(at, index), reading));
  };

/** Returns the check of an object with these members, and no others. */
const record =
  (required: Members, optional: Members = {}): Check =>
  (value, at, reading) => {
    if (!isRecord(value)) return fault(reading, at, 'Must be an object');
    for (const [key, check] of Object.entries(required))
      if (Object.hasOwn(value, key)) check(value[key], under(at, key), reading);
      else fault(reading, under(at, key), 'Missing');
    for (const key of Object.keys(value).filter((each) => !Object.hasOwn(required, each)))
      if (Object.hasOwn(optional, key)) optional[key]?.(value[key], under(at, key), reading);
      else fault(reading, under(at, key), 'Unknown key');
  };

const marks: Members = { bold: yes, italic: yes, link };
const textSpan = record({ text: text(LONGEST_TEXT) }, marks);
const fieldSpan = record({ field: path }, { ...marks, fallback: quotable });
const translationSpan = record({ translation: key }, { ...marks, fallback: quotable });

const span: Check = (value, at, reading) => {
  const has = (member: string): boolean => isRecord(value) && Object.hasOwn(value, member);
  return (has('field') ? fieldSpan : has('translation') ? translationSpan : textSpan)(value, at, reading);
};

const spans = list(span, MOST_SPANS);
const lines = list(record({ spans }, { list: oneOf(['bullet', 'number']) }), MOST_LINES);

const id: Check = (value, at, reading) => {
  if (typeof value !== 'string' || !/^[\w-]{1,40}$/.test(value)) return fault(reading, at, 'Must be up to 40 letters, digits, - or _');
  if (reading.ids.has(value)) fault(reading, at, 'Another block has this id');
  reading.ids.add(value);
};

const common: Members = { kind: () => undefined, id };
const boxed: Members = { align, background: color, padding: whole(0, 96) };

const takesNoValue = (operator: unknown): boolean => operator === 'present' || operator === 'absent';

const test: Check = (value, at, reading) => {
  record(
    { field: path, operator: oneOf(OPERATORS) },
    { value: (given, where, into) => (typeof given === 'string' ? quotable : comparable)(given, where, into) },
  )(value, at, reading);
  if (isRecord(value) && !takesNoValue(value['operator']) && !Object.hasOwn(value, 'value')) fault(reading, under(at, 'value'), 'Missing');
};

const comparable = when((value) => typeof value === 'boolean' || Number.isFinite(value), 'Must be text, a number, true or false');

const isWholeShare = (value: unknown): boolean =>
  Array.isArray(value) && value.every((share) => Number.isInteger(share) && Number(share) >= 10) && value.reduce(added, 0) === 100;

const added = (sum: number, share: unknown): number => sum + Number(share);

/** Returns the checks of a block, given those of the blocks in it. */
const checksOf = (within: Check): Readonly<Record<BlockKind, Check>> => ({
  text: record({ ...common, lines }, { ...boxed, color, size: whole(10, 40) }),
  heading: record({ ...common, level: oneOf([1, 2, 3]), spans }, { ...boxed, color }),
  image: record(
    { ...common, src: source, alt: text(LONGEST_LABEL * 5) },
    { ...boxed, link, decorative: yes, width: whole(8, 900), full: yes },
  ),
  button: record({ ...common, label: spans, link }, { ...boxed, color, full: yes }),
  columns: record(
    { ...common, columns: list(within, 3, 2) },
    { ...boxed, shares: when(isWholeShare, 'Must be whole percentages of at least 10 that add up to 100') },
  ),
  divider: record(common, { ...boxed, color }),
  spacer: record({ ...common, height: whole(4, 200) }),
  social: record({ ...common, links: list(record({ name: label, link }), 12) }, boxed),
  html: record({ ...common, html: text(LONGEST_HTML) }),
  footer: record({ ...common, lines }, { ...boxed, unsubscribe: label, preferences: label, browser: label }),
  repeat: record({ ...common, field: path, name: text(40, isName, 'Must be a name such as item'), blocks: within }),
  condition: record({ ...common, match: oneOf(['all', 'any']), tests: list(test, 10, 1), blocks: within }, { otherwise: within }),
});

const blocksAt =
  (depth: number): Check =>
  (value, at, reading) => {
    if (depth > DEEPEST) fault(reading, at, `Blocks can be nested ${DEEPEST} deep`);
    else list(blockAt(depth), MOST_BLOCKS)(value, at, reading);
  };

const blockAt =
  (depth: number): Check =>
  (value, at, reading) => {
    if (++reading.blocks > MOST_BLOCKS) return fault(reading, at, `A design has at most ${MOST_BLOCKS} blocks`);
    const checks = checksOf(blocksAt(depth + 1));
    const kind = isRecord(value) ? value['kind'] : undefined;
    if (typeof kind !== 'string' || !Object.hasOwn(checks, kind))
      return fault(reading, under(at, 'kind'), `Must be one of ${Object.keys(checks).join(', ')}`);
    checks[kind as BlockKind](value, at, reading);
  };

const style = record(
  {},
  { font: oneOf(FONTS), color, text: color, background: color, surface: color, radius: whole(0, 40), width: whole(320, 900) },
);

const design = record(
  {
    version: when((value) => value === DESIGN_VERSION, `Must be ${DESIGN_VERSION}; a newer release may have made this design`),
    blocks: blocksAt(0),
  },
  { lang: text(35, (value) => /^[A-Za-z]{2,8}(?:-[A-Za-z\d]{1,8})*$/.test(value), 'Must be a language tag such as en or pt-BR'), style },
);

/** Reads a design from JSON, or says what is wrong with it. */
export function readDesign(value: unknown): Read {
  const reading: Reading = { faults: [], ids: new Set(), blocks: 0 };
  design(value, '', reading);
  return reading.faults.length > 0 ? { faults: reading.faults } : { design: value as Design };
}

/** Returns the blocks within a block, list by list. */
export function within(block: Block): readonly (readonly Block[])[] {
  if (block.kind === 'columns') return block.columns;
  if (block.kind === 'repeat') return [block.blocks];
  return block.kind === 'condition' ? [block.blocks, block.otherwise ?? []] : [];
}

/** Returns each block of a list, and those within them. */
export const allOf = (blocks: readonly Block[]): readonly Block[] => blocks.flatMap((block) => [block, ...within(block).flatMap(allOf)]);
