import type { MailFeed } from '@lettermill/smtp';
import type { Core } from '../../platform/core';
import { tracing } from '../../platform/tracing';
import type { Email, Outcome } from '../../records/emails';
import type { Delivery, Finder } from './delivery';
import { envelopeOf } from './compose';
import type { Engine } from './engine';
import { leaveOut } from './recheck';
import { recordWritten } from './record';
import type { AcceptedAlike, ClaimOutcomes } from './record';
import type { Answered, Lane, OwnedMail } from './transport';
import { notBegun } from './verdicts';

/*
 * Mail comes from two sources: `deliver` has due messages of the queue, whose rows exist, and `deliverClaimed` has messages of a campaign's page, whose rows are
 * written once. The steps of a message are the same:
 *
 * | step     | a message of the queue                                     | a message of a page                                          |
 * |----------|------------------------------------------------------------|--------------------------------------------------------------|
 * | claim    | its row, together with others (`Engine.claim`)             | a document for a slice of messages, before they come here    |
 * | compose  | from its row (`Lane.compose`)                              | from its contact, when a lane asks for it (`ClaimedMail.take`) |
 * | exchange | over its lane (`Lane.exchange`)                            | over a lane that is lent for a while (`Lane.stream`)         |
 * | outcome  | `Lane.outcomeOf`                                           | the same (`ClaimedMail.done`)                                |
 * | settle   | with other results and the next claims (`Recorder`)        | with the others of its claim (`recordWritten`)               |
 *
 * What a crash leaves at each step, and what happens then: `engine.ts`, `record.ts`, `lease.ts`.
 */

/**
 * Delivers messages that a pump found due. Resolves to the number for this worker; from then on each goes through its steps independently,
 * and the pump learns when it is done. The engine decides when a message is claimed and recorded, and together with which others.
 */
export async function deliver(core: Core, engine: Engine, due: readonly Email[], pump: Finder): Promise<number> {
  const { held, wanted } = await leaveOut(core, due, pump.clock());
  const sendOne = async (delivery: Delivery): Promise<void> => {
    const lane = await engine.claim(delivery);
    if (lane === null) return pump.done();
    const { email } = delivery;
    const outcome = await traced(email, async () => {
      const mail = await lane.compose(email, pump.clock);
      if (typeof mail !== 'string') return mail;
      const answer = await lane.exchange(email, envelopeOf(core, email), mail);
      return lane.outcomeOf(email, answer, pump.clock());
    });
    await engine.record(delivery, outcome);
    pump.done();
  };
  const ours = engine.add(wanted, pump);
  for (const delivery of ours) void sendOne(delivery);
  return held + ours.length;
}

/** Records a span of an attempt, if the acceptance of its message was traced. */
function traced(email: Email, attempt: () => Promise<Outcome>): Promise<Outcome> {
  const sdk = email.trace === undefined ? null : tracing();
  return sdk ? sdk.attempt(email, attempt, ({ set }) => ({ 'lettermill.status': set.status ?? 'none' })) : attempt();
}

/** The messages of a claim of campaign mail, and what came of them. */
export interface ClaimedMail<M extends OwnedMail> extends AcceptedAlike {
  /** Number of messages that no lane has taken yet. */
  readonly left: number;
  /** The recipients of these. */
  readonly leftTo: readonly string[];
  /** The outcomes of messages that were not accepted. */
  readonly finished: readonly Outcome[];
  /** Composes the next message that goes to a server; undefined if there is none. Those before it, which do not, have an outcome then. */
  take(lane: Lane): M | undefined;
  done(lane: Lane, mail: M, answer: Answered): void;
}

/**
 * Delivers messages that are claimed, over all lanes that campaign mail may have, so that the slice is soon recorded while the next one has the lanes. Each lane
 * sends one message after another. Resolves when all of them are recorded.
 */
export async function deliverClaimed<M extends OwnedMail>(
  core: Core,
  engine: Engine,
  mail: ClaimedMail<M>,
  claim: Pick<ClaimOutcomes, 'attempt' | 'listening' | 'recorded'>,
): Promise<void> {
  const sendSome = async (): Promise<void> => {
    while (mail.left > 0) {
      const loan = await engine.borrow(mail.projectId);
      try {
        while (engine.open && mail.left > 0) {
          const isAlert = engine.watch.isAlert(mail.projectId);
          if (isAlert) await engine.watch.lookUp(mail.leftTo);
          await loan.lane.stream(feedFor(loan.lane, engine, mail, isAlert));
        }
      } finally {
        engine.giveBack(loan);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(engine.lendable, mail.left) }, sendSome));
  await recordWritten(core, { ...claim, alike: mail, finished: mail.finished });
}

/**
 * Returns the mail of a claim for a lane. What may not be tried now waits in the queue for its next attempt. Ends once a provider refuses mail, unless the
 * providers of all its recipients `areKnown`.
 */
const feedFor = <M extends OwnedMail>(lane: Lane, engine: Engine, mail: ClaimedMail<M>, areKnown: boolean): MailFeed<M> => ({
  next() {
    if (!areKnown && engine.watch.isAlert(mail.projectId)) return undefined;
    for (let next = mail.take(lane); next; next = mail.take(lane)) {
      const isRefused = !engine.watch.mayTry(next.envelope, next.id);
      if (!isRefused && engine.mayTry(next.envelope)) return next;
      mail.done(lane, next, isRefused ? REFUSED : engine.paused ? PAUSED : LEFT_ALONE);
    }
    return undefined;
  },
  done(sent, answer) {
    if (!answer.accepted) engine.watch.note(sent.envelope, answer.reply);
    mail.done(lane, sent, answer);
  },
});

const LEFT_ALONE = notBegun('waits: mail to its destination is paused');
const REFUSED = notBegun('waits: its provider refuses the mail of this campaign');
const PAUSED = notBegun('waits: an operator has paused sending');
