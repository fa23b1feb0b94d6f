import type { LRUCache } from 'lru-cache';
import { instantOf } from '../../rules/conditions/instants';
import type { Meter } from './scalars';

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
export function formatDate(value: unknown, pattern: unknown, timezone: unknown, locale: unknown, meter: Meter): string | null {
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
export function formatNumber(value: unknown, decimals: unknown, locale: unknown, currency: unknown, meter: Meter): string | null {
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
