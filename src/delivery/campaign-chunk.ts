import { isSending } from '../campaigns/page-source';
import { insertClaimed, removeClaimed } from '../emails/claimed';
import type { Attempt } from '../emails/model';
import { withinLimit } from '../time-limit';
import type { ReadyMail } from './campaign-mail';
import type { Engine } from './engine';
import type { Finished } from './record';

export interface ChunkTools {
  readonly engine: Engine;
  readonly lanesAtOnce: number;
}

/** The longest that a claim may take; rows that appear after it are taken over as a lost worker's. */
const ANSWER_MS = 20_000;

/**
 * Puts a chunk of a campaign on the wire: claims it by inserting its rows, sends, records all of it.
 *
 * | killed                   | found                              | happens                                                            |
 * |--------------------------|------------------------------------|--------------------------------------------------------------------|
 * | before the insert        | recipients without a message       | the page is asked for again and finds them                         |
 * | after it, before the dot | `sending`, worker's lease ends     | taken over after the lease and sent by the pump                    |
 * | past the final dot       | the same                           | in doubt: sent again after the lease, same Message-ID              |
 * | recorded                 | final state and events             | the page finds the message and leaves the recipient alone          |
 * | cancelled meanwhile      | rows inserted after the cancel     | removed before anything is sent: nothing is claimed after a cancel |
 *
 * Resolves to how many messages it sent, and why no more may follow: the campaign is `over`, or this worker may put nothing on a wire (`stopped`).
 */
export async function sendChunk(
  { engine, lanesAtOnce }: ChunkTools,
  campaignId: string,
  attempt: Attempt,
  ready: readonly ReadyMail[],
): Promise<{ readonly sent: number; readonly ends: 'over' | 'stopped' | null }> {
  const known = new Set(await withinLimit(ANSWER_MS, () => insertClaimed(ready.map(({ email }) => email))));
  const ours = ready.filter((_, index) => !known.has(index));
  if (ours.length === 0) return { sent: 0, ends: null };
  const goesOn = await engine.untilDone('A campaign could not be read', () => isSending(campaignId));
  if (!goesOn || !engine.ready) {
    await engine.untilDone('A chunk was not withdrawn', () =>
      removeClaimed(
        attempt.id,
        ours.map(({ email }) => email._id),
      ),
    );
    return { sent: 0, ends: goesOn ? 'stopped' : 'over' };
  }
  await engine.recordChunk(await transmit(engine, ours, attempt, Math.min(lanesAtOnce, ours.length)));
  return { sent: ours.length, ends: null };
}

/** Some lanes work the chunk off together, each message after message. */
async function transmit(engine: Engine, mails: readonly ReadyMail[], attempt: Attempt, lanes: number): Promise<readonly Finished[]> {
  const finished: Finished[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    if (next >= mails.length) return;
    const lane = await engine.borrow();
    try {
      for (let mail = mails[next++]; mail; mail = mails[next++]) {
        const outcome = await lane.send(mail.email, CLOCK, mail.made);
        finished.push({ email: mail.email, attemptId: attempt.id, outcome });
      }
    } finally {
      engine.giveBack(lane);
    }
  };
  await Promise.all(Array.from({ length: lanes }, work));
  return finished;
}

const CLOCK = (): Date => new Date();
