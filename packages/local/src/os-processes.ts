import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process of this machine, by the arguments it was started with. */
export interface SeenProcess {
  readonly pid: number;
  readonly args: readonly string[];
}

const hasProc = existsSync('/proc/self/stat');

function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/**
 * Returns the fields of a process from the third on: state, parent and so on (proc(5)). The command's name may hold spaces and brackets:
 * they begin after the last bracket.
 */
function procFields(pid: number): readonly string[] {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? '';
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function birthFromProc(pid: number): string | null {
  const fields = procFields(pid);
  return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null);
}

function birthFromPs(pid: number): string | null {
  const line = attempt(() => execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim());
  return line === null || line === '' || line.startsWith('Z') ? null : line.replace(/^\S+\s+/, '');
}

/** Returns when a process began, as a text that distinguishes it from a later one with the same pid; null when it is gone (a zombie is gone). */
export const processBirth = (pid: number): string | null => (hasProc ? birthFromProc(pid) : birthFromPs(pid));

function parentOf(pid: number): number {
  if (hasProc) return Number(procFields(pid)[1] ?? 0);
  return Number(attempt(() => execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' })) ?? 0);
}

/** Returns the processes that a process descends from, its parent first. */
export function ancestors(pid: number): readonly SeenProcess[] {
  const parent = parentOf(pid);
  if (parent <= 1) return [];
  return [{ pid: parent, args: processArguments(parent) ?? [] }, ...ancestors(parent)];
}

/** Returns the arguments of a process; null when it is gone. Without /proc, arguments that hold spaces come apart. */
function processArguments(pid: number): readonly string[] | null {
  if (!hasProc)
    return attempt(() =>
      execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
        .trim()
        .split(/\s+/),
    );
  return attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1));
}

function allPids(): readonly number[] {
  const names = hasProc ? readdirSync('/proc') : execFileSync('ps', ['-axo', 'pid='], { encoding: 'utf8' }).split(/\s+/);
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

/** Resolves to the processes that run `program` (the base name of the executable) with `option value` among their arguments. */
export function findProcesses(program: string, option: string, value: string): readonly SeenProcess[] {
  return allPids().flatMap((pid) => {
    const args = processArguments(pid);
    const runsIt = args?.[0] === program || args?.[0]?.endsWith(`/${program}`);
    const hasIt = args?.some((arg, i) => arg === option && args[i + 1] === value);
    return args && runsIt && hasIt && processBirth(pid) !== null ? [{ pid, args }] : [];
  });
}

/** Returns the value that follows `option` in the arguments of a process. */
export const argumentOf = (seen: SeenProcess, option: string): string | undefined => seen.args[seen.args.indexOf(option) + 1];

function signal(pid: number, name: NodeJS.Signals): void {
  attempt(() => process.kill(pid, name));
}

/** Ends a process that need not be our child: SIGTERM, and SIGKILL when it is still there after `patienceMs`. Resolves when it is gone. */
export async function endProcess(pid: number, patienceMs: number): Promise<void> {
  const birth = processBirth(pid);
  if (birth === null) return;
  const begun = Date.now();
  signal(pid, 'SIGTERM');
  for (let killed = false; processBirth(pid) === birth; await sleep(25)) {
    if (!killed && Date.now() - begun > patienceMs) {
      killed = true;
      signal(pid, 'SIGKILL');
    }
  }
}

const LOOK_EVERY_MS = 500;

/**
 * Calls `then` when the npm that started us is gone, or the shell between. Neither hands every signal on to us, and one that is killed
 * cannot: nothing would be left that can stop the platform, and the next start would find its data in use.
 */
export function onEndOfNpm(then: () => void): void {
  const above = ancestors(process.pid);
  const npm = above.findIndex(({ args }) => args.some((arg) => /\bnpm\b/.test(arg)));
  if (npm < 0) return;
  const chain = above.slice(0, npm + 1).map(({ pid }) => ({ pid, birth: processBirth(pid) }));
  const timer = setInterval(() => {
    if (chain.every(({ pid, birth }) => processBirth(pid) === birth)) return;
    clearInterval(timer);
    then();
  }, LOOK_EVERY_MS);
  timer.unref();
}
