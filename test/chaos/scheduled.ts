import { setTimeout as pause } from 'node:timers/promises';
import { Platform } from '../support/platform/platform';
import { seeded } from './chance';
import { broken, nothingWaits } from './judgement';
import type { Figures } from './report';

const MESSAGES = 2_000;
const IN_A_BATCH = 100;
/** Instants of the messages: some share one. */
const INSTANTS = 20;
const SPREAD_MS = 5_000;
const AHEAD_MS = 25_000;
const CONNECTIONS = 20;
const LONGEST_MS = 10 * 60_000;

/** Scheduled mail while the worker, Temporal and MongoDB are killed around its instants: none is lost or early, and repeats stay within their bound. Throws when one of it is not so. */
export async function run(seed: number): Promise<Figures> {
  const chance = seeded(seed);
  const platform = await Platform.start({
    ownServers: true,
    env: { SMTP_RETRY_SECONDS: '1,1,2,2,5,5,10,10,10', SMTP_CONNECTIONS: String(CONNECTIONS) },
  });
  const first = Date.now() + AHEAD_MS;
  const instantOf = (n: number): number => first + Math.floor(((n % INSTANTS) * SPREAD_MS) / INSTANTS);
  const arrivedAt = new Map<string, number>();
  const watch = setInterval(() => {
    for (const { to } of platform.smtp.messages) if (!arrivedAt.has(to)) arrivedAt.set(to, Date.now());
  }, 10);
  try {
    for (let from = 0; from < MESSAGES; from += IN_A_BATCH) {
      const messages = Array.from({ length: IN_A_BATCH }, (_, n) => ({
        to: `at-${from + n}@example.com`,
        from: 'hello@hello.test',
        subject: 'Hello',
        text: 'Hello',
        sendAt: new Date(instantOf(from + n)).toISOString(),
      }));
      const { status } = await platform.post('/v1/send/batch', { messages });
      if (status !== 200) throw new Error(`Not accepted: ${status}`);
    }
    const victims = chance.shuffled(['worker', 'temporal', 'mongod', 'worker'] as const);
    await pause(Math.max(0, first - 1_500 - Date.now()));
    for (const victim of victims) {
      await platform[victim].kill9();
      await pause(chance.below(1_500));
      await (victim === 'worker' ? platform.worker.start() : platform[victim].restart());
      await pause(chance.below(1_500));
    }
    await nothingWaits(LONGEST_MS);
    return judge({ seed, victims, instantOf, arrivedAt, arrived: platform.smtp.messages.length });
  } finally {
    clearInterval(watch);
    await platform.stop();
  }
}

interface Seen {
  readonly seed: number;
  readonly victims: readonly string[];
  readonly instantOf: (n: number) => number;
  readonly arrivedAt: ReadonlyMap<string, number>;
  readonly arrived: number;
}

function judge({ seed, victims, instantOf, arrivedAt, arrived }: Seen): Figures {
  const late = Array.from({ length: MESSAGES }, (_, n) => (arrivedAt.get(`at-${n}@example.com`) ?? Number.NaN) - instantOf(n));
  const lost = late.filter((ms) => Number.isNaN(ms)).length;
  const early = late.filter((ms) => ms < 0).length;
  const repeats = arrived - arrivedAt.size;
  const bound = victims.length * CONNECTIONS;
  const figures: Figures = [
    ['seed', seed],
    ['messages', MESSAGES],
    ['killed', victims.join(', ')],
    ['lost', lost],
    ['early', early],
    ['repeated', `${repeats} (bound ${bound})`],
    ['latest, seconds after its instant', (Math.max(...late) / 1_000).toFixed(1)],
  ];
  if (lost > 0 || early > 0 || repeats > bound) throw broken(figures);
  return figures;
}
