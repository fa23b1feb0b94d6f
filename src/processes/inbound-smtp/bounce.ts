import type { Core } from '../../platform/core';
import type { Returned } from '../../sending/deliver';
import { htmlToText } from '../../message/template';
import { findFacts, maskTokens } from '../../records/emails';
import { judgeReport } from '../../rules/delivery-report';
import type { ReportVerdict } from '../../rules/delivery-report';
import { isAutoReply, isFromMailSystem, judgePlainReturn } from '../../rules/plain-bounce';
import { isFeedbackReport, returnsOurMessage, takeComplaint, recordReport } from './complaint';
import { examinerOf } from './examiner';
import { fieldOf } from './mail';
import type { ParsedMail } from './mail';

const DELIVERY_STATUS = /^message\/(?:global-)?delivery-status$/;
const REPORT = /^message\/(?:(?:global-)?delivery-status|(?:global-)?disposition-notification)$/;
const MESSAGE = /^message\/(?:rfc822|global)$/;
const ORIGINAL = /^(?:message\/(?:rfc822|global)|text\/rfc822-headers|message\/(?:rfc822|global)-headers)$/;
const WRAPPED =
  /^from:.{0,100}(?:mailer-daemon|postmaster|mail delivery)|^content-type:\s*(?:multipart\/report|message\/delivery-status)/im;
const HEAD_LENGTH = 16_384;
/** A bounce says what it has to say in less. */
const HTML_LENGTH = 65_536;

/**
 * Takes what came back to the envelope sender of a message: a delivery report (RFC 3464), a feedback report, a bounce in words, a complaint in the older form;
 * anything else, auto-replies above all, says nothing of the message. Throws a refusal while the message itself is still on the wire.
 */
export async function takeBounce(core: Core, emailId: string, mail: ParsedMail, envelopeFrom: string, at: Date): Promise<void> {
  if (isFeedbackReport(mail)) return takeComplaint(core, mail, emailId, at);
  const email = (await findFacts([emailId])).get(emailId);
  if (!email) return;
  const verdict = await verdictOn(core, mail, envelopeFrom, email.to);
  const returned = returnedBy(verdict, at);
  if (returned) return recordReport(core, emailId, returned);
  if (isFromPerson(mail, envelopeFrom) && (await returnsOurMessage(core, mail))) return takeComplaint(core, mail, emailId, at);
}

async function verdictOn(core: Core, mail: ParsedMail, envelopeFrom: string, to: string): Promise<ReportVerdict> {
  const reported = reportIn(mail, to) ?? (await judgeWrapped(core, mail, envelopeFrom, to));
  return reported ?? judgePlainReturn(plainReturn(mail, envelopeFrom), to);
}

/** Judges a wrapped message: it is a bounce of its own if it contains a report, or if a mail system wrote it. */
async function judgeWrapped(core: Core, { parts }: ParsedMail, envelopeFrom: string, to: string): Promise<ReportVerdict | null> {
  const part = parts.find(({ contentType, content }) => MESSAGE.test(contentType) && WRAPPED.test(headOf(content)));
  if (!part) return null;
  const { mail: inner } = await examinerOf(core).examine(Buffer.from(part.content ?? ''), { keepBytes: 0, claims: false }, to);
  const reported = reportIn(inner, to);
  if (reported || !isFromMailSystem({ envelopeFrom: fromOf(inner), from: fromOf(inner) })) return reported;
  const inWords = judgePlainReturn(plainReturn(inner, envelopeFrom), to);
  return inWords.kind === 'nothing' ? null : inWords;
}

const fromOf = ({ author }: ParsedMail): string => (author.address || author.name).toLowerCase();

/** Returns null where there is no report, or none that names its recipient. */
function reportIn({ parts, text }: ParsedMail, to: string): ReportVerdict | null {
  const report = parts.find(({ contentType }) => DELIVERY_STATUS.test(contentType));
  return report ? judgeReport(report.content ?? '', text ?? '', to) : null;
}

const headOf = (content: string | null): string => (content ?? '').slice(0, HEAD_LENGTH);

// The words of a report without usable fields are words too.
function plainReturn(mail: ParsedMail, envelopeFrom: string) {
  const { parts } = mail;
  const contentsOf = (type: RegExp): string =>
    parts
      .filter(({ contentType }) => type.test(contentType))
      .map(({ content }) => headOf(content))
      .join('\n\n');
  return {
    envelopeFrom,
    from: fromOf(mail),
    subject: mail.subject,
    autoSubmitted: fieldOf(mail, 'auto-submitted'),
    failedRecipients: fieldOf(mail, 'x-failed-recipients'),
    text: `${wordsOf(mail)}\n\n${contentsOf(DELIVERY_STATUS)}`,
    original: contentsOf(ORIGINAL),
  };
}

const wordsOf = ({ text, html }: ParsedMail): string => (text?.trim() ? text : htmlToText((html ?? '').slice(0, HTML_LENGTH)));

// Complaints have no words of their own where they come from a mail system: bounces have, and so have answering machines.
const isFromPerson = (mail: ParsedMail, envelopeFrom: string): boolean =>
  !mail.parts.some(({ contentType }) => REPORT.test(contentType)) &&
  !isAutoReply(mail.subject) &&
  !/^\s*auto-(?:replied|notified)/i.test(fieldOf(mail, 'auto-submitted') ?? '') &&
  (wordsOf(mail).trim() === '' || !isFromMailSystem({ envelopeFrom, from: fromOf(mail) }));

function returnedBy(verdict: ReportVerdict, at: Date): Returned | null {
  if (verdict.kind === 'nothing') return null;
  if (verdict.kind === 'delivered') return { kind: 'delivered', response: verdict.response, at };
  const { bounceType, suppresses, reason } = verdict;
  return { kind: 'bounced', bounceType, suppresses, error: maskTokens(reason), at };
}
