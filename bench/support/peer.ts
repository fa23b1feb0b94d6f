import { spawn } from 'node:child_process';
import { once } from 'node:events';
import readline from 'node:readline';

/** Runs a shell command and passes its output on, line by line. Throws when it fails. */
export async function runPeer(command: string, show: (line: string) => void): Promise<void> {
  const child = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  for await (const line of readline.createInterface({ input: child.stdout })) show(line);
  const [code, signal] = await ended;
  if (code !== 0) throw new Error(`The peer's command ended with ${code ?? signal}: ${command}`);
}
