import { classifyFailure } from './bounce-class';
import type { SmtpPhase } from './bounce-class';
import { readFieldBlocks } from './report-fields';
import type { ReportFields } from './report-fields';

type BounceType = 'hard' | 'soft' | 'block';

/** What a report says became of a message; `nothing` also when it is late, relayed, expanded, or none of our concern. */
export type ReportVerdict =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'delivered'; readonly response: string }
  /** `suppress`: the address does not exist. */
  | { readonly kind: 'bounced'; readonly bounceType: BounceType; readonly suppress: boolean; readonly reason: string };

export const NOTHING: ReportVerdict = { kind: 'nothing' };

const REASON_LENGTH = 1_000;

/** What the mail system said, as far as a report says. */
export interface Refused {
  readonly phase: SmtpPhase;
  readonly code: number | null;
  /** RFC 3463. */
  readonly status: string | null;
  readonly reason: string;
}

/**
 * Judges a machine-readable delivery report (RFC 3464: `status`) on a message to `to`; `notice` is the part for people beside it. Of several recipients those
 * count who are `to`; where none of them is, `to` was an alias or a list, and its message bounced when it reached no mailbox.
 */
export function judgeReport(status: string, notice: string, to: string): ReportVerdict {
  const recipients = readFieldBlocks(status).filter((fields) => fields.has('action') || fields.has('final-recipient'));
  const own = recipients.filter((fields) => addressesOf(fields).includes(to.toLowerCase()));
  const relevant = own.length > 0 ? own : recipients;
  const having = (...actions: readonly string[]): ReportFields[] => relevant.filter((fields) => actions.includes(actionOf(fields)));
  const [delivered] = having('delivered');
  if (delivered) return { kind: 'delivered', response: reasonOf(delivered) };
  const [failed] = having('failed');
  if (!failed || having('relayed', 'expanded').length > 0) return NOTHING;
  return judgeRefusal(refusalOf(failed, notice));
}

/** Returns what a final refusal means: as over SMTP (docs/delivery.md, Refusals), but that there is no retry. */
export function judgeRefusal(refused: Refused): ReportVerdict {
  const { phase, code, status, reason } = refused;
  const bounced = (bounceType: BounceType, suppress = false): ReportVerdict => ({ kind: 'bounced', bounceType, suppress, reason });
  if (status?.startsWith('4.') || (status === null && code !== null && code < 500)) return bounced('soft');
  if (isUnknownDomain(refused)) return bounced('hard', true);
  const verdict = classifyFailure({ phase, code, enhanced: status }, 'smarthost');
  return verdict.kind === 'bounced' ? bounced(verdict.bounceType, verdict.suppress) : bounced('block');
}

const actionOf = (fields: ReportFields): string => /^[a-z]+/.exec(textOf(fields, 'action').toLowerCase())?.[0] ?? '';

/** `rfc822; user@example.com` (RFC 3464 2.3.1, 2.3.2). */
const addressesOf = (fields: ReportFields): readonly string[] =>
  ['final-recipient', 'original-recipient'].flatMap((name) => {
    const value = fields.get(name);
    return value === undefined
      ? []
      : [
          value
            .slice(value.indexOf(';') + 1)
            .trim()
            .replace(/^<|>$/g, '')
            .toLowerCase(),
        ];
  });

function refusalOf(fields: ReportFields, notice: string): Refused {
  const diagnostic = textOf(fields, 'diagnostic-code');
  const said = /^smtp\s*;/i.test(diagnostic) ? readReply(diagnostic) : null;
  const status = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(textOf(fields, 'status'))?.[0] ?? null;
  const refused = { phase: phaseOf(notice), reason: reasonOf(fields) };
  if (said === null) return { ...refused, code: null, status };
  // `x.0.0` is what a mail system says that knows no more than the reply code.
  const known = [status, said.status].find((one) => one !== null && !one.endsWith('.0.0'));
  return { ...refused, code: said.code, status: known ?? (status?.startsWith('4.') ? status : null) };
}

const textOf = (fields: ReportFields, name: string): string => fields.get(name) ?? '';

/** Returns the first reply of a mail system in a text: `550-5.1.1 ...`, `550 ...`. */
export function readReply(text: string): { readonly code: number; readonly status: string | null } | null {
  const match = /(?:^|[\s;:(>])([45]\d\d)[ -]\s?(?:#?([45]\.\d{1,3}\.\d{1,3})\b)?/.exec(text);
  return match === null ? null : { code: Number(match[1]), status: match[2] ?? null };
}

const reasonOf = (fields: ReportFields): string => {
  const diagnostic = textOf(fields, 'diagnostic-code').replace(/^[\w-]{1,32}\s*;\s*/, '');
  return (diagnostic || textOf(fields, 'status') || 'No reason was given').slice(0, REASON_LENGTH);
};

/** In which words mail systems say during which command they were refused. */
const PHASES: readonly (readonly [words: RegExp, phase: SmtpPhase])[] = [
  [/\b(?:in reply to|after) (?:end of )?data\b/i, 'final_dot'],
  [/\b(?:in reply to|after) (?:pipelined )?rcpt to\b/i, 'rcpt'],
  [/\b(?:in reply to|after) (?:pipelined )?mail from\b/i, 'mail'],
  [/\b(?:in reply to|after) (?:ehlo|helo|initial connection)\b/i, 'ehlo'],
];

/** Finds the SMTP phase in a notice: a report has no field for it, the text beside it often does. Where it names none, or several, it is about the recipient. */
export function phaseOf(notice: string): SmtpPhase {
  const named = PHASES.filter(([words]) => words.test(notice));
  return named.length === 1 && named[0] ? named[0][1] : 'rcpt';
}

const NO_SUCH_DOMAIN =
  /\bnxdomain\b|\b(?:host|domain)(?: or domain)?(?: name)? (?:not found|does not exist)\b|\bno such domain\b|\bnull mx\b/i;

/** 5.4.4 is "unable to route" of any cause; only one of the causes is that there is no such domain. */
const isUnknownDomain = ({ status, reason }: Refused): boolean =>
  status !== null && /^5\.4\.(?:4|310)$/.test(status) && NO_SUCH_DOMAIN.test(reason);
