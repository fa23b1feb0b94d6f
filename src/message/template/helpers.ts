import { isMissing, isTruthy, textCost, toText } from './values';
import type { Meter } from './values';
import type { LRUCache } from 'lru-cache';
import { instantOf } from '../../rules/conditions/instants';

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

/** Creating an Intl formatter costs about this many lookups; a template that creates one after the other has to pay. */
const NEW_FORMATTER_STEPS = 1_000;
const FORMAT_STEPS = 40;
const LONGEST_DATE = 64;
const DAY_LENGTH = '2026-11-21'.length;
const LONGEST_PATTERN = 100;
const MOST_DECIMALS = 20;

function cached<T extends object>(cache: LRUCache<string, T>, key: string, meter: Meter, make: () => T): T {
  const known = cache.get(key);
  if (known) return known;
  meter.spend(NEW_FORMATTER_STEPS);
  const made = make();
  cache.set(key, made);
  return made;
}

/** Returns the language when this runtime knows it, else English. */
function known(locale: string): string {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(locale.replace('_', '-'))[0] ?? 'en';
  } catch {
    return 'en';
  }
}

function shortText(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value.length <= LONGEST_PATTERN ? value : otherwise;
}

function makeDateFormatter(locale: string, timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  try {
    return Intl.DateTimeFormat(known(locale), { ...options, timeZone });
  } catch {
    return Intl.DateTimeFormat(known(locale), { ...options, timeZone: 'UTC' });
  }
}

interface Region {
  readonly locale: string;
  readonly timezone: string;
}

function dateFormatter(name: string, options: Intl.DateTimeFormatOptions, { locale, timezone }: Region, meter: Meter): Intl.DateTimeFormat {
  return cached(meter.formatters.dates, `${name}|${timezone}|${locale}`, meter, () => makeDateFormatter(locale, timezone, options));
}

const PRESETS: ReadonlyMap<string, Intl.DateTimeFormatOptions> = new Map(
  (['short', 'medium', 'long', 'full'] as const).map((dateStyle) => [dateStyle, { dateStyle }]),
);

const NUMERIC: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
};

const TOKEN = /\[[^\]]*\]|YYYY|YY|MMMM|MMM|MM|M|DD|D|dddd|ddd|HH|H|hh|h|mm|m|ss|s|A|a/g;

const NAMES: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  MMMM: { month: 'long' },
  MMM: { month: 'short' },
  dddd: { weekday: 'long' },
  ddd: { weekday: 'short' },
};

function numericToken(token: string, parts: ReadonlyMap<string, string>): string {
  const part = (name: string) => parts.get(name) ?? '';
  const plain = (name: string) => String(Number(part(name)));
  const hour12 = String(Number(part('hour')) % 12 || 12);
  const halfDay = Number(part('hour')) < 12 ? 'AM' : 'PM';
  const table: Readonly<Record<string, () => string>> = {
    YYYY: () => part('year').padStart(4, '0'),
    YY: () => part('year').slice(-2),
    MM: () => part('month'),
    M: () => plain('month'),
    DD: () => part('day'),
    D: () => plain('day'),
    HH: () => part('hour'),
    H: () => plain('hour'),
    hh: () => hour12.padStart(2, '0'),
    h: () => hour12,
    mm: () => part('minute'),
    m: () => plain('minute'),
    ss: () => part('second'),
    s: () => plain('second'),
    A: () => halfDay,
    a: () => halfDay.toLowerCase(),
  };
  return table[token]?.() ?? token.slice(1, -1);
}

interface Moment {
  readonly date: Date;
  /** False for a text without an offset: it is shown as it is written, in any time zone. */
  readonly isInstant: boolean;
}

function momentOf(value: unknown): Moment | null {
  if (typeof value === 'string' && value.length <= LONGEST_DATE) return writtenMoment(value);
  const date = typeof value === 'number' ? new Date(value) : null;
  return date && !Number.isNaN(date.getTime()) ? { date, isInstant: true } : null;
}

function writtenMoment(text: string): Moment | null {
  const at = instantOf(text);
  if (at !== null) return { date: new Date(at), isInstant: text.length > DAY_LENGTH };
  const local = instantOf(`${text}Z`);
  return local === null ? null : { date: new Date(local), isInstant: false };
}

/**
 * Formats a date: `{{formatDate value "pattern" timezone="Europe/Paris" locale="fr"}}`. The value is an ISO 8601 text (with an offset, or
 * shown as it is written in any time zone) or a number of milliseconds since 1970.
 * The pattern is `short`, `medium` (the default), `long` or `full`, or made of YYYY YY MMMM MMM MM M DD D dddd ddd HH H hh h mm m ss s A a, with
 * `[text]` as it is. Defaults to UTC and English, also for an unknown time zone or language. Returns null when the value is not a date.
 */
function formatDate(value: unknown, pattern: unknown, timezone: unknown, locale: unknown, meter: Meter): string | null {
  meter.spend(FORMAT_STEPS);
  const moment = momentOf(value);
  if (!moment) return null;
  const { date, isInstant } = moment;
  const region = { locale: shortText(locale, 'en'), timezone: isInstant ? shortText(timezone, 'UTC') : 'UTC' };
  const format = shortText(pattern, 'medium');
  const preset = PRESETS.get(format);
  if (preset) return dateFormatter(format, preset, region, meter).format(date);
  meter.spend(FORMAT_STEPS);
  const numeric = dateFormatter('numeric', NUMERIC, { ...region, locale: 'en-US-u-ca-gregory-nu-latn' }, meter).formatToParts(date);
  const parts = new Map(numeric.map((part) => [part.type as string, part.value]));
  return format.replace(TOKEN, (token) => {
    meter.spend(FORMAT_STEPS);
    const named = NAMES[token];
    return named ? dateFormatter(token, named, region, meter).format(date) : numericToken(token, parts);
  });
}

/**
 * Formats a number: `{{formatNumber value 2 locale="de" currency="EUR"}}`, with grouped digits and, if given, that many decimals (0 to 20).
 * Defaults to English. Returns null when the value is not a number.
 */
function formatNumber(value: unknown, decimals: unknown, locale: unknown, currency: unknown, meter: Meter): string | null {
  meter.spend(FORMAT_STEPS);
  const isNumeric = typeof value === 'number' || (typeof value === 'string' && value.length <= LONGEST_DATE && value.trim() !== '');
  const number = isNumeric ? Number(value) : Number.NaN;
  if (!Number.isFinite(number)) return null;
  const language = shortText(locale, 'en');
  const digits = typeof decimals === 'number' ? Math.min(Math.max(Math.trunc(decimals), 0), MOST_DECIMALS) : null;
  const unit = typeof currency === 'string' && /^[A-Za-z]{3}$/.test(currency) ? currency : null;
  const make = () =>
    Intl.NumberFormat(known(language), {
      ...(digits !== null && { minimumFractionDigits: digits, maximumFractionDigits: digits }),
      ...(unit !== null && { style: 'currency', currency: unit }),
    });
  return cached(meter.formatters.numbers, `${digits}|${unit}|${language}`, meter, make).format(number);
}
