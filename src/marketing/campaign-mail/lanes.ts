import type { Core } from '../../platform/core/context';
import type { Attempt } from '../../records/emails/model';
import type { DkimKey } from '../../message/dkim/dkim';
import { merged } from '../../platform/core/merged';
import { bytesOf } from './mail';
import type { CampaignMessage } from './mail';
import type { Engine } from '../../sending/deliver/engine';
import type { Made } from '../../sending/deliver/lane';
import type { Finished } from '../../sending/deliver/record';

/** The messages of a slice, each made when it is asked for. */
export interface Messages {
  readonly count: number;
  readonly make: (at: number) => CampaignMessage;
}

interface LaneTools {
  readonly core: Core;
  readonly engine: Pick<Engine, 'borrow' | 'giveBack'>;
  readonly lanesAtOnce: number;
}

/** So many are made together: few enough to be gone before memory is looked through, and enough for lanes and mail server to have several at a time. */
const BURST = 50;

interface ReadyMail extends CampaignMessage {
  readonly made: Made | Promise<Made>;
}

function readyMail(core: Core, dkim: DkimKey | null, message: CampaignMessage): ReadyMail {
  const made = bytesOf(core, dkim, message);
  // What cannot be signed is an outcome of its message when that one's turn comes.
  if (made instanceof Promise) made.catch(() => undefined);
  return merged(message, { made });
}

/** Puts messages on the wire: some lanes work them off together, each message after message. Resolves to what became of them. */
export async function transmit(
  { core, engine, lanesAtOnce }: LaneTools,
  dkim: DkimKey | null,
  { count, make }: Messages,
  attempt: Attempt,
): Promise<readonly Finished[]> {
  const finished: Finished[] = [];
  const lanes = Math.min(lanesAtOnce, count);
  const ready: ReadyMail[] = [];
  let next = 0;
  const left = (): number => ready.length + count - next;
  const take = (): ReadyMail | undefined => {
    while (next < count && (ready.length === 0 || next % BURST > 0)) ready.push(readyMail(core, dkim, make(next++)));
    return ready.shift();
  };
  const work = async (): Promise<void> => {
    if (left() === 0) return;
    const lane = await engine.borrow();
    try {
      for (let mail = take(); mail;) {
        const { email, made } = mail;
        // The last ones are left to whichever lane is free first.
        const following = left() >= lanes ? take() : undefined;
        const outcome = await lane.send(email, CLOCK, () => made, following?.envelope);
        finished.push({ email, attemptId: attempt.id, outcome });
        mail = following ?? take();
      }
    } finally {
      engine.giveBack(lane);
    }
  };
  await Promise.all(Array.from({ length: lanes }, work));
  return finished;
}

const CLOCK = (): Date => new Date();
