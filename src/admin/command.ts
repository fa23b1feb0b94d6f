import type { Change } from '../audit/service';
import type { Config } from '../config';

/** The options that commands take, with what stands for their values in the usage. */
export const OPTIONS = {
  scope: '<full|sending|read>',
  expires: '<time|30d>',
  project: '<projectId>',
  limit: '<1-1000>',
  before: '<entry id>',
} as const;

export type OptionName = keyof typeof OPTIONS;

/** What stands on the command line behind the words of a command. */
export interface Given {
  readonly args: readonly string[];
  readonly options: Readonly<Partial<Record<OptionName, string>>>;
}

export interface Command {
  readonly words: readonly string[];
  readonly parameters: readonly string[];
  readonly options?: readonly OptionName[];
  readonly meaning: string;
  /** Checks what was given without touching the database; throws `UsageError`. */
  check?(given: Given): void;
  /** Resolves with what is printed. */
  run(given: Given, config: Config): Promise<Outcome>;
}

/** What a command did: its result, and for the audit what it changed. */
export interface Outcome {
  readonly result: unknown;
  readonly changed?: Omit<Change, 'by'>;
}
