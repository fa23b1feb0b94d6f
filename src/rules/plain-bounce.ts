import { NOTHING, judgeRefusal, phaseOf, readReply } from './delivery-report';
import type { ReportVerdict } from './delivery-report';

/** A message that came back to the envelope sender without a machine-readable report, as far as its kind shows. */
export interface PlainReturn {
  /** MAIL FROM; empty for the null sender of RFC 5321 4.5.5. */
  readonly envelopeFrom: string;
  /** Address, or else name, of the From field, in lower case. */
  readonly from: string;
  readonly subject: string;
  readonly autoSubmitted: string | null;
  /** The field that Exim adds to its bounces. */
  readonly failedRecipients: string | null;
  readonly text: string;
}

const TEXT_LENGTH = 16_384;

const COPY_BEGINS =
  /^-{2,}\s*(?:below this line is a copy|this is a copy of|original message|the following is a copy|transcript of)|^return-path:/im;

const SAYS_FAILED =
  /(?:could not|couldn't|wasn't able to|was not able to|unable to|cannot|can't|not) (?:be )?deliver|undeliver|delivery (?:has |to the following recipients? )?failed|permanent (?:fatal )?error|returned mail|failure notice/i;

const IS_WARNING =
  /warning message only|will (?:keep|continue) (?:on )?(?:to try|trying)|has not (?:yet )?been delivered|do not need to resend/i;

const IS_AUTO_REPLY =
  /\b(?:out of (?:the )?office|auto(?:matic)?[- ]?reply|auto[- ]?response|autorespon\w+|vacation|on leave|abwesen\w*|absence)\b/i;

/**
 * Judges a bounce of a mail system that writes for people only (qmail, old Exim). Careful: it has to come from a mail system, name `to`, say that it is
 * given up and with which permanent code; anything else, an auto-reply above all, means nothing.
 */
export function judgePlainReturn(returned: PlainReturn, to: string): ReportVerdict {
  const text = ownWords(returned.text);
  if (!isFromMailSystem(returned) || isAutoReply(returned) || IS_WARNING.test(text)) return NOTHING;
  if (!SAYS_FAILED.test(`${returned.subject}\n${text}`)) return NOTHING;
  if (!`${returned.failedRecipients ?? ''}\n${text}`.toLowerCase().includes(to.toLowerCase())) return NOTHING;
  const said = permanentIn(text);
  if (said === null) return NOTHING;
  return judgeRefusal({ ...said, phase: phaseOf(text), reason: reasonIn(text) });
}

function ownWords(text: string): string {
  const bounded = text.slice(0, TEXT_LENGTH);
  const end = bounded.search(COPY_BEGINS);
  return end < 0 ? bounded : bounded.slice(0, end);
}

const isFromMailSystem = ({ envelopeFrom, from }: PlainReturn): boolean =>
  envelopeFrom === '' || /^(?:mailer-daemon|postmaster)@/i.test(envelopeFrom) || /^(?:mailer-daemon|postmaster)(?:@|$)/.test(from);

/** Exim marks its own bounces as replied too (RFC 3834), and names in them who was not reached. */
const isAutoReply = ({ autoSubmitted, failedRecipients, subject }: PlainReturn): boolean =>
  IS_AUTO_REPLY.test(subject) || (failedRecipients === null && /^\s*auto-(?:replied|notified)/i.test(autoSubmitted ?? ''));

/** `(#5.1.1)` is how qmail says it; others repeat the reply. */
function permanentIn(text: string): { readonly code: number | null; readonly status: string | null } | null {
  const qmail = /\(#(5\.\d{1,3}\.\d{1,3})\)/.exec(text);
  if (qmail) return { code: null, status: qmail[1] ?? null };
  for (const line of text.split('\n')) {
    const said = readReply(line);
    if (said && said.code >= 500 && !said.status?.startsWith('4.')) return said;
  }
  return null;
}

/** Returns the line that has the code. */
const reasonIn = (text: string): string =>
  (text.split('\n').find((line) => /\(#5\.\d|\b5\d\d[ -]/.test(line)) ?? '').trim().slice(0, 1_000);
