import type { Core } from '../../platform/core';
import type { Returned } from '../../sending/deliver';
import { findFacts } from '../../records/emails';
import { judgeReport } from '../../rules/delivery-report';
import type { ReportVerdict } from '../../rules/delivery-report';
import { judgePlainReturn } from '../../rules/plain-bounce';
import { isFeedbackReport, takeComplaint } from './complaint';
import { fieldOf } from './parse';
import type { ParsedMail, ParsedPart } from './parse';
import { recordReport } from './record-report';

const DELIVERY_STATUS = /^message\/(?:global-)?delivery-status$/;

/**
 * Takes what came back to the envelope sender of a message: a delivery report (RFC 3464), a feedback report, a bounce in words; anything else, auto-replies
 * above all, says nothing of the message. Throws a refusal while the message itself is still on the wire.
 */
export async function takeBounce(core: Core, emailId: string, mail: ParsedMail, envelopeFrom: string, at: Date): Promise<void> {
  if (isFeedbackReport(mail)) return takeComplaint(core, mail, emailId, at);
  const email = (await findFacts([emailId])).get(emailId);
  if (!email) return;
  const returned = returnedBy(judge(mail, envelopeFrom, email.to), at);
  if (returned) await recordReport(core, emailId, returned);
}

function judge(mail: ParsedMail, envelopeFrom: string, to: string): ReportVerdict {
  const report = mail.parts.find((part): part is ParsedPart & { content: string } => DELIVERY_STATUS.test(part.contentType));
  if (report) return judgeReport(report.content, mail.text ?? '', to);
  const { address, name } = mail.author;
  return judgePlainReturn(
    {
      envelopeFrom,
      from: (address || name).toLowerCase(),
      subject: mail.subject,
      autoSubmitted: fieldOf(mail, 'auto-submitted'),
      failedRecipients: fieldOf(mail, 'x-failed-recipients'),
      text: mail.text ?? '',
    },
    to,
  );
}

function returnedBy(verdict: ReportVerdict, at: Date): Returned | null {
  if (verdict.kind === 'nothing') return null;
  if (verdict.kind === 'delivered') return { kind: 'delivered', response: verdict.response, at };
  const { bounceType, suppress, reason } = verdict;
  return { kind: 'bounced', bounceType, suppress, error: reason, at };
}
