import path from 'node:path';
import { TASK_QUEUES } from '../../contracts/task-queues';
import { VERSION } from '../config';

interface Process {
  readonly usage: string;
  readonly does: string;
  /** Arguments that the process accepts. */
  readonly words?: readonly string[];
}

/** Help texts by the folder of the entry file; `npm run admin` has its own help. */
const PROCESSES: Readonly<Record<string, Process>> = {
  api: { usage: 'npm run api', does: 'Serves the HTTP API, the console, tracking and unsubscribe pages.' },
  worker: {
    usage: 'npm run worker -- [queue …]',
    does: `Runs a worker for Temporal task queues, by default for all: ${TASK_QUEUES.join(', ')}.`,
    words: TASK_QUEUES,
  },
  'inbound-smtp': { usage: 'npm run smtp', does: 'Receives bounces, complaints, unsubscribe mail and inbound mail over SMTP.' },
  local: { usage: 'npm start', does: 'Runs the whole platform, and starts the servers that it needs and that are not configured.' },
};

const SETTINGS =
  'Settings are environment variables, listed in docs/configuration.md.\n  --help     show this\n  --version  show the version\n';

interface Answer {
  readonly text: string;
  readonly code: 0 | 2;
}

/** Returns the text and exit code of a process that was started with `argv` and only prints; null when it is to run. */
export function answerTo([, entry = '', ...given]: readonly string[]): Answer | null {
  if (given[0] === '--version') return { text: `${VERSION}\n`, code: 0 };
  const called = PROCESSES[path.basename(path.dirname(entry))];
  if (!called) return null;
  const usage = `Usage: ${called.usage}\n\n${called.does}\n\n${SETTINGS}`;
  if (given[0] === '--help' || given[0] === '-h') return { text: usage, code: 0 };
  const unknown = given.find((word) => !called.words?.includes(word));
  return unknown === undefined ? null : { text: `${unknown} is not understood\n\n${usage}`, code: 2 };
}

/** Imported before anything else by the processes: what takes seconds to load is not needed for an answer. */
const answer = answerTo(process.argv);
if (answer) {
  process[answer.code === 0 ? 'stdout' : 'stderr'].write(answer.text);
  process.exit(answer.code);
}
