import { networkOf, normalizeAddress } from '../../platform/addresses';
import type { Core } from '../../platform/core';
import type { Authentication } from '../../rules/authentication';
import { optOutOf } from '../../sending/tracking';
import { authenticate } from './authenticate';
import type { SendingHost } from './authenticate';
import type { Examined } from './examine';
import { isLooping } from './automatic';
import { takeBounce } from './bounce';
import { isFeedbackReport, takeComplaint } from './complaint';
import { examinerOf } from './examiner';
import { takeInbound } from './inbound';
import { LOOPING } from './refusal';
import type { Destination } from './route';

/** What is kept of a message that goes to no project: reports begin with their findings, and end with the message that they report. */
export const REPORT_BYTES = 1_048_576;

/** A message, and who of this platform it is for. */
export interface Delivery {
  readonly destinations: readonly Destination[];
  /** Empty for the null sender. */
  readonly envelopeFrom: string;
  /** The whole message when one of the destinations is a project's. */
  readonly bytes: Buffer;
  /** The sending host, and what it called itself. */
  readonly host: SendingHost;
}

/**
 * Does what a message asks for at each of its recipients, each in a transaction of its own, and returns when all of it is stored. When one of them fails, the
 * sender comes again with the whole message, and what is done already is not done twice. Throws a refusal.
 */
export async function takeMessage(core: Core, { destinations, ...given }: Delivery, at = new Date()): Promise<void> {
  const failures: unknown[] = [];
  // The address decides, not the message.
  for (const { emailId } of destinations.filter(isUnsubscribe)) {
    await optOutOf(core, emailId, 'mailto', at).catch((error: unknown) => failures.push(error));
  }
  const others = destinations.filter((destination) => !isUnsubscribe(destination));
  if (others.length > 0) failures.push(...(await takeMail(core, others, { ...given, at })));
  if (failures.length > 0) throw failures[0];
}

const isUnsubscribe = (destination: Destination): destination is Extract<Destination, { kind: 'unsubscribe' }> =>
  destination.kind === 'unsubscribe';

type Taken = Omit<Delivery, 'destinations'> & { readonly at: Date };
type Given = Omit<Taken, 'bytes'>;

/** A message that was taken apart, with what is known of where it came from, where a project is to get it. */
type Read = Given & Pick<Examined, 'mail' | 'fingerprint'> & { readonly authentication: Authentication | null };

const isInbound = ({ kind }: Destination): boolean => kind === 'inbound';

/** Resolves to what went wrong. */
async function takeMail(core: Core, destinations: readonly Destination[], { bytes, ...given }: Taken): Promise<readonly unknown[]> {
  const isInboundMail = destinations.some(isInbound);
  const wanted = { keepBytes: isInboundMail ? core.config.INBOUND_ATTACHMENT_BYTES : 0, claims: isInboundMail };
  const { mail, fingerprint, claims } = await examinerOf(core).examine(bytes, wanted, networkOf(given.host.address));
  if (isLooping(mail)) throw LOOPING;
  const read = {
    ...given,
    mail,
    fingerprint,
    authentication: isInboundMail ? await authenticationOf(core, { mail, claims }, given) : null,
  };
  const failures: unknown[] = [];
  for (const destination of destinations) {
    await takeAt(core, destination, read).catch((error: unknown) => failures.push(error));
  }
  return failures;
}

function authenticationOf(
  { dns }: Core,
  { mail, claims }: Pick<Examined, 'mail' | 'claims'>,
  { envelopeFrom, host }: Given,
): Promise<Authentication> {
  const author = mail.hasOneAuthor ? normalizeAddress(mail.author.address) : null;
  return authenticate({ claims, author }, { dns, ...host, envelopeFrom });
}

async function takeAt(core: Core, destination: Destination, read: Read): Promise<void> {
  const { mail, envelopeFrom, at } = read;
  if (destination.kind === 'bounce') await takeBounce(core, destination.emailId, mail, envelopeFrom, at);
  if (destination.kind === 'feedback') await takeComplaint(core, mail, null, at);
  if (destination.kind === 'inbound') {
    await takeInbound(core, destination.projectId, destination.to, read);
    if (isFeedbackReport(mail)) await takeComplaint(core, mail, null, at);
  }
}
