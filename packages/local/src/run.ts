import { execFile } from 'node:child_process';
import { createInterface } from 'node:readline';
import { childEnvironment } from './environment';

/** The fetchers' cache, progress reports, and abort signal. */
export interface FetchScope {
  readonly cacheRoot: string;
  readonly say: (line: string) => void;
  /** Shows the progress of the work, in one line that is updated; absent where nothing can be updated, as in a log. */
  readonly show?: (text: string) => void;
  readonly signal?: AbortSignal;
}

export interface RunOptions {
  readonly timeoutMs: number;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Receives each line of its complaints as it comes. */
  readonly hear?: (line: string) => void;
}

/** Runs a command to its end and resolves with what it printed. Rejects, with the end of its complaints, when it fails, is missing or is late. */
export function run(command: string, args: readonly string[], options: RunOptions): Promise<string> {
  const { timeoutMs, cwd, env = childEnvironment(), signal, hear } = options;
  return new Promise((resolve, reject) => {
    const child = execFile(
      command,
      args,
      {
        timeout: timeoutMs,
        killSignal: 'SIGKILL',
        maxBuffer: 64 * 1024 * 1024,
        ...(cwd && { cwd }),
        env,
        ...(signal && { signal }),
      },
      (error, stdout, stderr) => {
        if (!error) return resolve(stdout);
        const late = error.killed === true && !signal?.aborted ? `no end after ${timeoutMs / 1000} s` : error.message.split('\n')[0];
        const complaint = stderr.trim().slice(-400);
        reject(new Error(`${command}: ${late}${complaint ? `: ${complaint}` : ''}`, { cause: error }));
      },
    );
    if (hear && child.stderr) createInterface({ input: child.stderr }).on('line', hear);
  });
}

/** Says which phase the work is in, and how many pieces of it are done so far. */
export type Enter = (phase: string, pieces: number) => void;

const SHOWN_EVERY_MS = 1_000;
const SAID_EVERY_MS = 15_000;

/**
 * Does `work` and shows the time that has passed and the phase until it is done: each second where the text can be updated, otherwise every
 * 15 seconds and when a phase begins. `note` is printed once, with the title. The remaining time is unknown, and not shown.
 */
export async function announced<T>(scope: FetchScope, title: string, work: (enter: Enter) => Promise<T>, note = ''): Promise<T> {
  const { say, show } = scope;
  const begun = Date.now();
  let phase = '';
  let pieces = 0;
  const passed = (): string => `${Math.round((Date.now() - begun) / 1000)} s`;
  const progress = (): string => [title, passed(), ...(phase ? [`${phase} (${pieces} so far)`] : [])].join(', ');
  const enter: Enter = (name, done) => {
    const isNew = name !== phase;
    [phase, pieces] = [name, done];
    if (isNew) (show ?? say)(progress());
  };
  say(title + note);
  const ticker = setInterval(() => (show ?? say)(progress()), show ? SHOWN_EVERY_MS : SAID_EVERY_MS);
  try {
    const result = await work(enter);
    say(`${title}, done in ${passed()}`);
    return result;
  } finally {
    clearInterval(ticker);
  }
}
