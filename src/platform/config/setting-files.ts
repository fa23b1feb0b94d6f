import { readFileSync } from 'node:fs';

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
