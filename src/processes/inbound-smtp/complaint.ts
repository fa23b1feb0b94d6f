import type { Core } from '../../platform/core';
import { MESSAGE_TOKEN, findFacts, readToken } from '../../records/emails';
import { complaintType } from '../../rules/delivery-report';
import type { MessagePurpose } from '../../platform/secrets';
import type { ParsedMail } from './mail';
import { NO_REPORT, TRY_LATER } from './refusal';
import { pause } from '../../platform/async';
import { recordReturned } from '../../sending/deliver';
import type { Returned } from '../../sending/deliver';

const OWN_ADDRESS = new RegExp(`\\b([bu])\\+(${MESSAGE_TOKEN})@`, 'gi');
const OWN_LINK = new RegExp(`/u/(${MESSAGE_TOKEN})\\b`, 'gi');
const OWN_MESSAGE_ID = /^message-id:\s*<(em_[0-9a-z]{26})@/im;
const OWN_FEEDBACK_TOKEN = new RegExp(`^feedback-id:\\s*(${MESSAGE_TOKEN}):`, 'gim');
const OWN_FEEDBACK_ID = /^feedback-id:[^\r\n:]*:([A-Za-z0-9_-]{1,64}):[a-z]+:lettermill\b/im;

const REPORT = 'message/feedback-report';

/** Returns whether a mail is a complaint in the Abuse Reporting Format (RFC 5965). */
export const isFeedbackReport = ({ parts }: Pick<ParsedMail, 'parts'>): boolean => parts.some(({ contentType }) => contentType === REPORT);

/** Resolves to whether a mail has a message of ours in it, which is all that complaints of the older form have. */
export const returnsOurMessage = async (core: Core, mail: ParsedMail): Promise<boolean> => (await messageNamedIn(core, mail)) !== null;

/**
 * Takes a complaint: a feedback report (RFC 5965), or, in the older form, any mail with a message of ours in it. `emailId` is the message when the complaint came
 * to its envelope sender; else the message is the one that the complaint names by a signed address or link of it, or by what its head says. A report that names
 * none of ours, or is no complaint, changes nothing. Throws a refusal for a message that is no complaint in either form.
 */
export async function takeComplaint(core: Core, mail: ParsedMail, emailId: string | null, at: Date): Promise<void> {
  const report = mail.parts.find(({ contentType }) => contentType === REPORT);
  const feedbackType = report ? complaintType(report.content ?? '') : 'abuse';
  if (feedbackType === null) return;
  const reported = emailId ?? (await messageNamedIn(core, mail));
  if (reported === null && !report) throw NO_REPORT;
  if (reported === null) {
    core.log.warn('A complaint refers to no known message');
    return;
  }
  await recordReport(core, reported, { kind: 'complained', feedbackType, at });
}

// Providers take the recipient's address out of what they report, so a message is known by what we signed in it.
async function messageNamedIn(core: Core, { parts }: ParsedMail): Promise<string | null> {
  const text = parts.map(({ content }) => content ?? '').join('\n');
  return signedIn(core, text) ?? (await namedInHead(text));
}

function signedIn(core: Core, text: string): string | null {
  for (const [, purpose, token = ''] of text.matchAll(OWN_ADDRESS)) {
    const emailId = readToken(core, purpose?.toLowerCase() === 'b' ? 'bounce' : 'unsubscribe', token.toLowerCase());
    if (emailId !== null) return emailId;
  }
  return firstOf(core, 'bounce', text.matchAll(OWN_FEEDBACK_TOKEN)) ?? firstOf(core, 'unsubscribe', text.matchAll(OWN_LINK));
}

function firstOf(core: Core, purpose: MessagePurpose, found: Iterable<RegExpMatchArray>): string | null {
  for (const [, token = ''] of found) {
    const emailId = readToken(core, purpose, token);
    if (emailId !== null) return emailId;
  }
  return null;
}

// Only those who got the message know the random part of its id; naming its project too distinguishes our mail from other mail.
async function namedInHead(text: string): Promise<string | null> {
  const emailId = OWN_MESSAGE_ID.exec(text)?.[1];
  const projectId = OWN_FEEDBACK_ID.exec(text)?.[1];
  if (emailId === undefined || projectId === undefined) return null;
  return (await findFacts([emailId])).get(emailId)?.projectId === projectId ? emailId : null;
}

/** Delays while waiting for the outcome of a message that is being sent, before its report is deferred. */
const WAITS_MS = [100, 200, 400, 800] as const;

/** Records what a report says of a message. Throws a refusal when the message stays on the wire: the reporter is to come again. */
export async function recordReport(core: Core, emailId: string, returned: Returned): Promise<void> {
  for (const waitMs of WAITS_MS) {
    if (await recordReturned(core, emailId, returned)) return;
    await pause(waitMs);
  }
  throw TRY_LATER;
}
