import { createRequire } from 'node:module';

type Command = Readonly<Record<string, unknown>>;
type Heard = (name: string, command: Command) => void;
type Prepare = (database: string, command: Command, options: unknown) => { readonly command: Command };

const listeners = new Set<Heard>();

/** Commands by which the driver finds a server and watches it. */
const GREETINGS = ['hello', 'ismaster'];

/**
 * Tells of each command that this process sends to a database from now on, in the form that is sent. The driver's own events copy each command and each answer;
 * here a command costs a call. Returns what ends it.
 */
export function hearCommands(heard: Heard): () => void {
  listenToDriver();
  listeners.add(heard);
  return () => listeners.delete(heard);
}

let isListening = false;

function listenToDriver(): void {
  if (isListening) return;
  isListening = true;
  const load = createRequire(__filename);
  const { Connection } = load('mongodb/lib/cmap/connection') as {
    readonly Connection: { readonly prototype: { prepareCommand: Prepare } };
  };
  const { prototype } = Connection;
  const prepare = prototype.prepareCommand;
  prototype.prepareCommand = function (...args) {
    const message = prepare.apply(this, args);
    const [name = ''] = Object.keys(args[1]);
    if (!GREETINGS.includes(name)) for (const heard of listeners) heard(name, message.command);
    return message;
  };
}

/** Resolves to how many commands the database gets meanwhile. */
export async function commandsDuring(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const stop = hearCommands(() => {
    count += 1;
  });
  try {
    await work();
  } finally {
    stop();
  }
  return count;
}
