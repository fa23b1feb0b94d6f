import type { MailFeed, SmtpOutcome } from '@lettermill/smtp';
import type { Engine, Lane } from '../../sending/deliver';
import type { SliceMail, SliceMails } from './slice-mail';

type Lanes = Pick<Engine, 'borrow' | 'giveBack' | 'lendable' | 'mayTry' | 'open' | 'paused'>;

/**
 * Sends messages over all lanes that campaign mail may have, each of which sends one after another, so that the slice is soon recorded
 * while the next one has the lanes. Resolves when each message has an outcome.
 */
export async function transmit(engine: Lanes, slice: SliceMails): Promise<void> {
  const work = async (): Promise<void> => {
    while (slice.left > 0) {
      const loan = await engine.borrow(slice.projectId);
      try {
        const feed = feedOf(engine, slice, loan.lane);
        while (engine.open && slice.left > 0) await loan.lane.stream(feed);
      } finally {
        engine.giveBack(loan);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(engine.lendable, slice.left) }, work));
}

/** Returns the mail of a slice for a lane. What may not be tried now waits in the queue for its next attempt. */
const feedOf = (engine: Lanes, slice: SliceMails, lane: Lane): MailFeed<SliceMail> => ({
  next() {
    for (let mail = slice.take(lane); mail; mail = slice.take(lane)) {
      if (engine.mayTry(mail.envelope)) return mail;
      slice.done(lane, mail, engine.paused ? PAUSED : LEFT_ALONE);
    }
    return undefined;
  },
  done: (mail, outcome) => slice.done(lane, mail, outcome),
});

/** Returns the outcome of a message that may not be tried now. */
const waits = (message: string): SmtpOutcome => ({
  ...{ accepted: false, phase: 'connect', cause: 'refused', reply: null, inDoubt: false },
  message,
});
const LEFT_ALONE = waits('waits for its destination, which is left alone for a while');
const PAUSED = waits('waits until sending is resumed, which an operator has paused');
