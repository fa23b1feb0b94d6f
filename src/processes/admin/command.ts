import type { Change } from '../../records/audit';
import type { LimitSettings } from '../../platform/core';
import type { Secrets } from '../../platform/secrets';

/** The options that commands take, with the placeholders for their values in the usage. */
export const OPTIONS = {
  scope: '<full|sending|read>',
  expires: '<time|30d>',
  project: '<projectId>',
  name: '<name>',
  limit: '<1-1000>',
  before: '<entry id>',
  month: '<YYYY-MM>',
  head: '<hash>',
} as const;

export type OptionName = keyof typeof OPTIONS;

/** Options without a value. */
export const FLAGS = ['status', 'contract', 'yes', 'all', 'revoke-keys'] as const;

export type FlagName = (typeof FLAGS)[number];

/** The parsed arguments after the words of a command. */
export interface Given {
  readonly args: readonly string[];
  readonly options: Readonly<Partial<Record<OptionName, string>>>;
  readonly flags: ReadonlySet<FlagName>;
}

/** The platform that commands work on. */
export interface Platform {
  /** The version of these commands, and what they were built from. */
  readonly release: string;
  /** Limits of projects that have none of their own. */
  readonly config: LimitSettings;
  /** The URL at which people reach it. */
  readonly publicUrl: string;
  /** Throws when no secret is given or kept. */
  readonly secrets: () => Secrets;
  /** Prints a line for the person at the terminal, in addition to the result. */
  readonly say: (line: string) => void;
}

export interface Command {
  readonly words: readonly string[];
  /** One in brackets may be left out. */
  readonly parameters: readonly string[];
  readonly options?: readonly OptionName[];
  readonly flags?: readonly FlagName[];
  /** Works also where this release is too old for the database. */
  readonly anySchema?: true;
  /** Reads no database, so that it works where there is none. */
  readonly offline?: true;
  readonly meaning: string;
  /** Checks what was given without touching the database; throws `UsageError`. */
  check?(given: Given): void;
  /** Resolves with what is printed. */
  run(given: Given, platform: Platform): Promise<Outcome>;
}

/** The result of a command. */
export interface Outcome {
  readonly result: unknown;
  /** For the audit. */
  readonly changed?: Omit<Change, 'by'>;
  /** Why it is not all that was asked for. */
  readonly fault?: string | null;
}
