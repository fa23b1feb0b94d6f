import type { Core } from '../context';
import { optOutOf } from '../tracking/opt-out';
import { isLooping } from './automatic';
import { takeBounce } from './bounce';
import { isFeedbackReport, takeComplaint } from './complaint';
import { takeInbound } from './inbound';
import type { ParsedMail } from './parse';
import { parseMail } from './parser';
import { LOOPING } from './refusal';
import type { Destination } from './route';

/** What is kept of a message that goes to no project: reports begin with what they tell, and end with the message that they tell of. */
export const REPORT_BYTES = 1_048_576;

export interface Delivery {
  readonly destinations: readonly Destination[];
  /** Empty for the null sender. */
  readonly envelopeFrom: string;
  /** The whole message when one of the destinations is a project's. */
  readonly bytes: Buffer;
}

/**
 * Does what a message asks for at each of its recipients, each in a transaction of its own, and returns when all of it is stored. When one of them fails, the
 * sender comes again with the whole message, and what is done already is not done twice. Throws a refusal.
 */
export async function takeMessage(core: Core, { destinations, envelopeFrom, bytes }: Delivery, at = new Date()): Promise<void> {
  const failures: unknown[] = [];
  // Whatever the message says: its address says it.
  for (const { emailId } of destinations.filter(isUnsubscribe)) {
    await optOutOf(core, emailId, 'mailto', at).catch((error: unknown) => failures.push(error));
  }
  const others = destinations.filter((destination) => !isUnsubscribe(destination));
  if (others.length > 0) failures.push(...(await takeMail(core, others, { envelopeFrom, bytes, at })));
  if (failures.length > 0) throw failures[0];
}

const isUnsubscribe = (destination: Destination): destination is Extract<Destination, { kind: 'unsubscribe' }> =>
  destination.kind === 'unsubscribe';

interface Taken {
  readonly bytes: Buffer;
  readonly envelopeFrom: string;
  readonly at: Date;
}

/** Resolves to what went wrong. */
async function takeMail(core: Core, destinations: readonly Destination[], taken: Taken): Promise<readonly unknown[]> {
  const mail = await parseMail(taken.bytes);
  if (isLooping(mail)) throw LOOPING;
  const failures: unknown[] = [];
  for (const destination of destinations) {
    await takeAt(core, destination, mail, taken).catch((error: unknown) => failures.push(error));
  }
  return failures;
}

async function takeAt(core: Core, destination: Destination, mail: ParsedMail, { bytes, envelopeFrom, at }: Taken): Promise<void> {
  if (destination.kind === 'bounce') await takeBounce(core, destination.emailId, mail, envelopeFrom, at);
  if (destination.kind === 'feedback') await takeComplaint(core, mail, null, at);
  if (destination.kind === 'inbound') {
    await takeInbound(core, destination.projectId, destination.to, { mail, bytes, envelopeFrom });
    if (isFeedbackReport(mail)) await takeComplaint(core, mail, null, at);
  }
}
