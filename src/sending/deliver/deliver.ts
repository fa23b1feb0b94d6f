import type { Core } from '../../platform/core';
import { tracing } from '../../platform/tracing';
import type { Email, Outcome } from '../../records/emails';
import type { Delivery, Finder } from './candidates';
import { envelopeOf } from './compose';
import type { Engine } from './engine';
import { leaveOut } from './recheck';

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
      return lane.judge(email, answer, pump.clock());
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
