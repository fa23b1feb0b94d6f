import { readFileSync } from 'node:fs';
import { nearestName } from '../../rules/near-name';

const ENDING = '_FILE';

/** Settings that already name a file, and the OpenTelemetry settings, which its SDK reads from the environment. */
const NEVER = /^OTEL_|_TLS_(?:CA|CERT|KEY)$|_BINARY$|^(?:DATA_DIR|TEMPORAL_TEST_SERVER)$/;

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the setting that a variable gives the value of by naming a file; undefined when it is no such variable. */
export const settingOfFile = (variable: string, settings: readonly string[]): string | undefined =>
  settings.find((name) => variable === name + ENDING && !NEVER.test(name));

interface Read {
  readonly env: Environment;
  /** Sentences without a value. */
  readonly faults: readonly string[];
}

/** Reads the files that replace settings. Line breaks at the end of a file are not part of the value. */
export function withFiles(env: Environment, settings: readonly string[]): Read {
  const values: Record<string, string> = {};
  const faults: string[] = [];
  for (const [variable, file = ''] of Object.entries(env)) {
    const name = settingOfFile(variable, settings);
    if (name === undefined) continue;
    const value = env[name] === undefined ? contentOf(variable, file) : new Error(`${name} and ${variable} are both set: remove one`);
    if (value instanceof Error) faults.push(value.message);
    else values[name] = value;
  }
  return { env: { ...env, ...values }, faults };
}

function contentOf(variable: string, file: string): string | Error {
  try {
    const text = readFileSync(file, 'utf8').replace(/[\r\n]+$/, '');
    return text === '' ? new Error(`${variable} names an empty file: ${file}`) : text;
  } catch (error) {
    return new Error(`${variable} names a file that cannot be read: ${file} (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
  }
}

/** Variables that begin so are meant for the platform, whatever follows. */
const OURS =
  /^(?:INBOUND|LEDGER|LETTERMILL|METRICS|PAYMENTS|SUBMISSION|WEBHOOK)_|^(?:API_RATE|SEND_RATE|DOMAIN_CHECK|EVENTS_PUBLIC|PLAN_QUOTA|SMTP)_/;

/** Among shorter names, every other one is near. */
const SHORTEST = 6;

/** A variable that no setting has the name of. */
export interface Stray {
  readonly variable: string;
  /** The setting that was probably meant. */
  readonly meant: string | null;
}

/** Returns variables that look like settings but are none: with one of our prefixes, or one typing error from a setting. */
export function straySettings(given: readonly string[], known: readonly string[]): readonly Stray[] {
  const isKnown = new Set(known);
  return given
    .filter((variable) => !isKnown.has(variable))
    .flatMap((variable) => {
      const isOurs = OURS.test(variable);
      const meant = nearest(variable, known) ?? (isOurs ? completed(variable, known) : null) ?? withoutFile(variable, known);
      return meant !== null || isOurs ? [{ variable, meant }] : [];
    });
}

const nearest = (variable: string, known: readonly string[]): string | null =>
  variable.length < SHORTEST
    ? null
    : nearestName(
        variable,
        known.filter((name) => name.length >= SHORTEST),
      );

// The setting that has no other form: it names a file already.
const withoutFile = (variable: string, known: readonly string[]): string | null =>
  known.find((name) => variable === `${name}_FILE`) ?? null;

/** Returns the one setting whose first words these are; undefined if none or several match. */
function completed(variable: string, known: readonly string[]): string | null {
  const [only = null, ...others] = known.filter((name) => name.startsWith(`${variable}_`));
  return others.length === 0 ? only : null;
}
