import { normalizeAddress, domainOf, networkOf } from '../../platform/addresses';
import { monthOf, quotaFacts, readUsage } from '../../records/billing';
import type { Core } from '../../platform/core';
import { AppError } from '../../platform/core';
import { receiveMessage } from '../../sending/inbound';
import type { ReceivedMessage } from '../../sending/inbound';
import { getProject } from '../../records/projects';
import type { Authentication } from '../../rules/authentication';
import { judgeQuota } from '../../rules/quota';
import { authorNameOf, filesOf, idsIn, subjectOf, isAutomatic, isLooping } from './mail';
import type { ParsedMail } from './mail';
import { NO_SENDER, OVER_LIMIT, LOOPING, TRY_LATER, UNREADABLE } from './refusal';
import { metrics } from '../../platform/metrics';
import { reporterOf, storeDomainReport } from '../../sending/domain-reports';
import type { Fate } from '../../sending/domain-reports';
import { authenticationOf } from './authenticate';
import type { Origin } from './authenticate';
import type { Examined } from './examine';
import { examinerOf } from './examiner';

const BODY_BYTES = 1_048_576;
/** The newest of a conversation: older ones are in those. */
const MOST_REFERENCES = 50;

/** Resolves to whether a project's limit of inbound mail leaves room for a message. */
export async function takesMail(core: Core, projectId: string): Promise<boolean> {
  const project = await getProject(projectId);
  if (project.caps.inbound === null) return true;
  const usage = await readUsage(projectId, monthOf(new Date()));
  return judgeQuota(quotaFacts(core.config, project), usage, 'inbound', 0) === null;
}

/** A message that came in, parsed, with what is known of its origin. */
export interface Arrival {
  readonly mail: ParsedMail;
  readonly fingerprint: string;
  readonly envelopeFrom: string;
  readonly authentication: Authentication | null;
}

/**
 * Stores a message for one recipient; one that is delivered again, because our answer was lost, is stored already. Throws a refusal for mail without a
 * sender, and past the project's limit.
 */
export async function takeInbound(core: Core, projectId: string, to: string, arrival: Arrival): Promise<void> {
  const project = await getProject(projectId);
  try {
    await receiveMessage({ core, project, testMode: false }, messageFor(to, arrival));
  } catch (error) {
    if (error instanceof AppError && error.code === 'limit_reached') throw OVER_LIMIT;
    throw error;
  }
}

function messageFor(to: string, { mail, fingerprint, envelopeFrom, authentication }: Arrival): ReceivedMessage {
  const sender = senderOf(mail, envelopeFrom);
  const [messageId] = idsIn(mail, 'message-id');
  return {
    ...sender,
    to,
    messageId,
    authentication,
    replyTo: normalizeAddress(mail.replyTo ?? ''),
    inReplyTo: idsIn(mail, 'in-reply-to')[0] ?? null,
    references: idsIn(mail, 'references').slice(-MOST_REFERENCES),
    subject: subjectOf(mail),
    html: cut(mail.html),
    text: cut(mail.text),
    attachments: filesOf(mail),
    sameAs: [messageId ?? '', sender.from, to, fingerprint].join('\n'),
    automatic: isAutomatic(mail, envelopeFrom),
  };
}

function senderOf(mail: ParsedMail, envelopeFrom: string): { readonly from: string; readonly fromName?: string } {
  const author = normalizeAddress(mail.author.address);
  if (author !== null) return { from: author, fromName: authorNameOf(mail) };
  const from = normalizeAddress(envelopeFrom);
  if (from === null) throw NO_SENDER;
  return { from };
}

/**
 * Cuts a text to its limit. The line break at the end belongs to the transport. If the text is too long, half a character at its end is
 * omitted.
 */
function cut(given: string | null): string {
  const text = (given ?? '').replace(/\n$/, '');
  const bytes = Buffer.from(text);
  return bytes.length <= BODY_BYTES ? text : new TextDecoder().decode(bytes.subarray(0, BODY_BYTES), { stream: true });
}

/** Limit for the packed reports of a mail. */
const MOST_BYTES = 10 * 1_048_576;
const WANTED = { keepBytes: MOST_BYTES, claims: true, domainReports: true } as const;

/**
 * Takes mail at the address for reports on domains. A report that cannot be read, or that nobody is proved to have sent, is counted and accepted: its sender is a
 * machine that reads no answers. Takes the bytes. Throws a refusal where the sender is to come again, and for a message that loops.
 */
export async function takeDomainReports(core: Core, bytes: Buffer, origin: Origin & { readonly at: Date }): Promise<void> {
  const examined = await examineReports(core, bytes, origin);
  if (!examined) return count(core, 'unreadable');
  if (isLooping(examined.mail)) throw LOOPING;
  if (examined.domainReports.length === 0) return count(core, 'unreadable');
  const reporter = await provedReporter(core, examined, origin);
  for (const report of examined.domainReports) {
    if (!report) count(core, 'unreadable');
    else if (reporter === null) count(core, 'unproved');
    else count(core, await storeDomainReport(core, reporter, report, origin.at));
  }
}

/** Resolves to null for a message that cannot be read. */
async function examineReports(core: Core, bytes: Buffer, { host }: Origin): Promise<Examined | null> {
  try {
    return await examinerOf(core).examine(bytes, WANTED, networkOf(host.address));
  } catch (error) {
    if (error === UNREADABLE) return null;
    throw error;
  }
}

/** Throws a refusal while DNS does not say who sent the mail. */
async function provedReporter(core: Core, examined: Examined, origin: Origin): Promise<string | null> {
  const authentication = await authenticationOf(core, examined, origin);
  const reporter = examined.mail.hasOneAuthor ? reporterOf(domainOf(examined.mail.author.address.toLowerCase()), authentication) : null;
  if (reporter === null && (authentication.dkim === 'temperror' || authentication.spf === 'temperror')) throw TRY_LATER;
  return reporter;
}

function count({ log }: Core, result: Fate | 'unreadable' | 'unproved'): void {
  metrics.domainReports.inc({ result });
  if (result !== 'stored' && result !== 'repeated') log.info({ result }, 'A report on a domain was ignored');
}
