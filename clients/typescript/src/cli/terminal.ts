import { stdin, stderr, stdout } from 'node:process';
import readline from 'node:readline/promises';
import { Writable, addAbortSignal } from 'node:stream';

/** Input and output of a command; replaced in tests. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Width of the terminal in characters; null where the output is not one. */
  readonly width: number | null;
  readonly signal: AbortSignal;
  readonly out: (text: string | Uint8Array) => void;
  readonly error: (text: string) => void;
  /** Resolves to all that comes in. */
  input(): Promise<string>;
  /** Yields what comes in, as it comes. Throws when the signal ends it. */
  pieces(): AsyncIterable<string>;
  /** Asks for a secret, which is not shown. */
  askSecret(question: string): Promise<string>;
}

async function inputOf(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

async function secretOf(question: string): Promise<string> {
  if (!stdin.isTTY) return (await inputOf()).trim();
  stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const asked = readline.createInterface({ input: stdin, output: silent, terminal: true });
  try {
    return (await asked.question('')).trim();
  } finally {
    asked.close();
    stderr.write('\n');
  }
}

/** Returns the terminal of this process. */
export function ownTerminal(env: Terminal['env'], signal: AbortSignal): Terminal {
  return {
    env,
    width: stdout.isTTY ? stdout.columns : null,
    signal,
    out: (text) => void stdout.write(text),
    error: (text) => void stderr.write(text),
    input: inputOf,
    pieces: () => addAbortSignal(signal, stdin.setEncoding('utf8')) as AsyncIterable<string>,
    askSecret: secretOf,
  };
}
