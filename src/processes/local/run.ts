import { execFile } from 'node:child_process';
import { childEnvironment } from '../../platform/config';

/** Where the fetchers put what they fetch, where they report progress, and how they are called off. */
export interface FetchScope {
  readonly cacheRoot: string;
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal;
}

export interface RunOptions {
  readonly timeoutMs: number;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** Runs a command to its end and resolves with what it printed. Rejects, with the end of its complaints, when it fails, is missing or is late. */
export function run(command: string, args: readonly string[], options: RunOptions): Promise<string> {
  const { timeoutMs, cwd, env = childEnvironment(), signal } = options;
  return new Promise((resolve, reject) => {
    execFile(
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
  });
}

/** Does `work` and says how many seconds have passed, every five seconds, until it is done. */
export async function announced<T>(scope: FetchScope, title: string, work: () => Promise<T>): Promise<T> {
  const begun = Date.now();
  const passed = (): string => `${Math.round((Date.now() - begun) / 1000)} s`;
  scope.say(title);
  const ticker = setInterval(() => scope.say(`${title}, ${passed()}`), 5000);
  try {
    const result = await work();
    scope.say(`${title}, done in ${passed()}`);
    return result;
  } finally {
    clearInterval(ticker);
  }
}
