import { formatDate, formatNumber } from './format';
import { isMissing, isTruthy, textCost, toText } from './scalars';
import type { Meter } from './scalars';

type Options = Readonly<Record<string, unknown>>;

interface Helper {
  readonly least: number;
  readonly most: number;
  readonly options: readonly string[];
  readonly run: (args: readonly unknown[], options: Options, meter: Meter) => unknown;
}

export type HelperName =
  | 'uppercase'
  | 'lowercase'
  | 'capitalize'
  | 'default'
  | 'formatDate'
  | 'formatNumber'
  | 'urlEncode'
  | 't'
  | 'eq'
  | 'ne'
  | 'gt'
  | 'lt'
  | 'and'
  | 'or'
  | 'not';

const ANY_NUMBER = 100;

function onText(change: (text: string) => string): Helper {
  return {
    least: 1,
    most: 1,
    options: [],
    run: ([value], _options, meter) => {
      const text = toText(value, meter);
      meter.spend(textCost(text.length));
      return change(text);
    },
  };
}

function onTwo(compare: (left: unknown, right: unknown) => boolean): Helper {
  return {
    least: 2,
    most: 2,
    options: [],
    run: ([left, right], _options, meter) => {
      if (typeof left === 'string' && typeof right === 'string') meter.spend(textCost(Math.min(left.length, right.length)));
      return compare(left, right);
    },
  };
}

const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

/** Percent-encodes all characters except those that RFC 3986 calls unreserved, so that the text is one value anywhere in a URL. */
const urlEncoded = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')).replace(/[!'()*]/g, percent);

/** Returns whether two values of one type are equal; a missing value equals null. */
function isSame(left: unknown, right: unknown): boolean {
  return left === right || (left == null && right == null);
}

/** Compares two values: negative, zero or positive; NaN when they have no order. Numbers in text count as numbers. */
function order(left: unknown, right: unknown): number {
  const isNumeric = (value: unknown) =>
    typeof value === 'number' || (typeof value === 'string' && value.length < 32 && value.trim() !== '' && !Number.isNaN(Number(value)));
  if (isNumeric(left) && isNumeric(right)) return Number(left) - Number(right);
  if (typeof left !== 'string' || typeof right !== 'string') return Number.NaN;
  return left < right ? -1 : Number(left > right);
}

/** Returns a helper like JavaScript's `&&` or `||`: it returns the deciding value, by Handlebars' rule of truth. */
function deciding(stopsAt: boolean): Helper {
  return {
    least: 2,
    most: ANY_NUMBER,
    options: [],
    run: (args) => args[args.findIndex((value, index) => isTruthy(value) === stopsAt || index === args.length - 1)],
  };
}

const HELPERS: Readonly<Record<HelperName, Helper>> = {
  uppercase: onText((text) => text.toUpperCase()),
  lowercase: onText((text) => text.toLowerCase()),
  capitalize: onText((text) => text.replace(/^./su, (first) => first.toUpperCase())),
  default: { least: 2, most: ANY_NUMBER, options: [], run: (args) => args.find((value) => !isMissing(value)) },
  formatDate: {
    least: 1,
    most: 2,
    options: ['timezone', 'locale'],
    run: ([value, pattern], { timezone, locale }, meter) =>
      formatDate(value, pattern, timezone, locale ?? meter.language, meter) ?? toText(value, meter),
  },
  formatNumber: {
    least: 1,
    most: 2,
    options: ['decimals', 'locale', 'currency'],
    run: ([value, decimals], options, meter) =>
      formatNumber(value, decimals ?? options.decimals, options.locale ?? meter.language, options.currency, meter) ?? toText(value, meter),
  },
  urlEncode: onText(urlEncoded),
  t: { least: 1, most: 1, options: [], run: ([key], _options, meter) => meter.stringOf(String(key)) },
  eq: onTwo(isSame),
  ne: onTwo((left, right) => !isSame(left, right)),
  gt: onTwo((left, right) => order(left, right) > 0),
  lt: onTwo((left, right) => order(left, right) < 0),
  and: deciding(false),
  or: deciding(true),
  not: { least: 1, most: 1, options: [], run: ([value]) => !isTruthy(value) },
};

export const HELPER_NAMES = Object.keys(HELPERS);

export function isHelperName(name: string): name is HelperName {
  return Object.hasOwn(HELPERS, name);
}

export function helperNamed(name: HelperName): Helper {
  return HELPERS[name];
}
