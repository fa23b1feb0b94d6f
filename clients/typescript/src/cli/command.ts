/** The form of a value: `list` flags may be repeated, `json` flags take JSON, or members as `--data.plan pro`. */
export interface Flag {
  readonly name: string;
  readonly type: 'text' | 'number' | 'boolean' | 'list' | 'json';
  readonly values?: readonly string[];
  readonly help: string;
}

/** A command that calls one operation. */
export interface Command {
  readonly words: readonly string[];
  /** The method of the client. */
  readonly operation: string;
  readonly help: string;
  /** The ids of the path, which the command takes in this order. */
  readonly ids: readonly string[];
  readonly query: readonly Flag[];
  /** The members of the body; null without one. */
  readonly body: readonly Flag[] | null;
  /** It takes a file. */
  readonly upload: boolean;
  /** It takes an idempotency key. */
  readonly keyed: boolean;
}
