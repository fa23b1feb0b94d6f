import { classifyRefusal } from './bounce-class';
import { readCodes } from './reply-codes';
import type { Bounced, Refused, SmtpPhase } from './bounce-class';
import type { SaidCodes } from './reply-codes';

/** The outcome of a message according to a report; `nothing` also when it is late, relayed, expanded, or not about our mail. */
export type ReportVerdict =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'delivered'; readonly response: string }
  | (Bounced & { readonly reason: string });

export const NOTHING: ReportVerdict = { kind: 'nothing' };

const REASON_LENGTH = 1_000;

/**
 * Judges a machine-readable delivery report (RFC 3464: `status`) on a message to `to`; `notice` is the part for people next to it. Of
 * several recipients, those that equal `to` count. If none does, `to` was an alias or a list, and its message bounced when it reached no
 * mailbox. Null if the report names no recipient with an action or a status: then only its notice has information.
 */
export function judgeReport(status: string, notice: string, to: string): ReportVerdict | null {
  const recipients = readFieldBlocks(status).filter((fields) => actionOf(fields) !== '');
  if (recipients.length === 0) return null;
  const own = recipients.filter((fields) => addressesOf(fields).includes(to.toLowerCase()));
  const relevant = own.length > 0 ? own : recipients;
  const having = (...actions: readonly string[]): ReportFields[] => relevant.filter((fields) => actions.includes(actionOf(fields)));
  const [delivered] = having('delivered');
  if (delivered) return { kind: 'delivered', response: reasonOf(textOf(delivered, 'diagnostic-code'), delivered) };
  const [failed] = having('failed');
  if (!failed || having('relayed', 'expanded').length > 0) return NOTHING;
  return refusedIn(failed, notice, to);
}

/** A mail system's reply, as a report quotes it. */
interface Reported extends SaidCodes, Pick<Refused, 'phase' | 'words'> {
  readonly reason: string;
}

/** Returns the meaning of a final refusal: the same as over SMTP (docs/delivery.md, Refusals), but without a retry. */
export function bouncedBy({ phase, code, status, words, reason }: Reported): ReportVerdict {
  const isTemporary = code === null ? status?.startsWith('4.') === true : code < 500;
  if (isTemporary) return { kind: 'bounced', bounceType: 'soft', suppresses: 'never', reason };
  return { ...classifyRefusal({ phase, code, enhanced: status, words }), reason };
}

/** Returns the action of a recipient. Some systems write other words for `failed`, or none next to a status of class 5. */
function actionOf(fields: ReportFields): string {
  const action = /^[a-z]+/.exec(textOf(fields, 'action').toLowerCase())?.[0] ?? '';
  if (/^(?:fail|undeliver|expired)/.test(action)) return 'failed';
  return action === '' && textOf(fields, 'status').startsWith('5') ? 'failed' : action;
}

/** Returns the addresses of a field such as `rfc822; user@example.com` (RFC 3464, 2.3.1, 2.3.2). */
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

const statusOf = (fields: ReportFields): string | null => /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(textOf(fields, 'status'))?.[0] ?? null;

/**
 * Returns the refusal of a recipient. The remote server's reply takes precedence over `Status`, which the reporting system derived from it;
 * `x.0.0` comes from a system that knows only the reply code.
 */
function refusedIn(fields: ReportFields, notice: string, to: string): ReportVerdict {
  const written = statusOf(fields);
  const derived = written?.endsWith('.0.0') ? null : written;
  const diagnostic = textOf(fields, 'diagnostic-code').replace(/^[\w-]{1,32}\s*;\s*/, '');
  const words = diagnostic === '' && derived === null ? linesNaming([to.toLowerCase(), ...addressesOf(fields)], notice) : diagnostic;
  const { code, status } = readCodes(words);
  const known = status ?? (isVague(code) ? derived : null) ?? (code === null ? written : null);
  return bouncedBy({ phase: phaseOf(notice), code, status: known, words, reason: reasonOf(words, fields) });
}

// `550` and its kin say that a mailbox was refused, and not why.
const isVague = (code: number | null): boolean => code === null || code === 550 || code === 551 || code === 553;

/** Returns what a notice says of a recipient: from the line that names it to the end of its paragraph, and the next one where it is a heading. */
function linesNaming(addresses: readonly string[], notice: string): string {
  const names = (text: string): boolean => addresses.some((address) => address !== '' && text.toLowerCase().includes(address));
  const paragraphs = notice.split(/\n[ \t\r]*\n/);
  const index = paragraphs.findIndex(names);
  if (index < 0) return '';
  const lines = (paragraphs[index] ?? '').split('\n');
  const said = lines.slice(Math.max(lines.findIndex(names), 0)).join('\n');
  const isHeading = addresses.reduce((rest, address) => rest.replaceAll(address, ''), said.toLowerCase()).search(/[a-z]/) < 0;
  return (isHeading ? `${said}\n${paragraphs[index + 1] ?? ''}` : said).trim();
}

const textOf = (fields: ReportFields, name: string): string => fields.get(name) ?? '';

const reasonOf = (words: string, fields: ReportFields): string =>
  (words.replace(/^[\w-]{1,32}\s*;\s*/, '') || textOf(fields, 'status') || 'No reason was given').slice(0, REASON_LENGTH);

/** In which words mail systems say during which command they were refused. */
const PHASES: readonly (readonly [words: RegExp, phase: SmtpPhase])[] = [
  [/\b(?:in reply to|after) (?:end of )?data\b|\bfailed after I sent the message/i, 'final_dot'],
  [/\b(?:in reply to|after) (?:pipelined )?rcpt to\b|\bdoes not like recipient/i, 'rcpt'],
  [/\b(?:in reply to|after) (?:pipelined )?mail from\b|\bbut sender was rejected/i, 'mail'],
  [/\b(?:in reply to|after) (?:ehlo|helo|initial connection)\b|\bbut (?:greeting failed|my name was rejected)/i, 'ehlo'],
];

const COMMANDS: ReadonlyMap<string, SmtpPhase> = new Map([
  ['helo', 'ehlo'],
  ['ehlo', 'ehlo'],
  ['auth', 'auth'],
  ['mail', 'mail'],
  ['rcpt', 'rcpt'],
  ['data', 'data'],
  ['bdat', 'data'],
  ['.', 'final_dot'],
]);

/**
 * Finds the SMTP phase in a notice: a report has no field for it, but the text next to it often has words, or a transcript. If it names
 * none, or several, the refusal is about the recipient.
 */
export function phaseOf(notice: string): SmtpPhase {
  const transcript = phaseInTranscript(notice);
  if (transcript) return transcript;
  const named = PHASES.filter(([words]) => words.test(notice));
  return named.length === 1 && named[0] ? named[0][1] : 'rcpt';
}

/** Returns the last command before the first refusal: `>>> DATA`, `<<< 550 ...`. */
function phaseInTranscript(notice: string): SmtpPhase | undefined {
  const refused = notice.search(/^[ \t]*(?:<<<|<--|S:)[ \t]*5\d\d/m);
  const before = refused < 0 ? notice : notice.slice(0, refused);
  const commands = [...before.matchAll(/^[ \t]*(?:>>>|-->|C:)[ \t]*([a-z]{4}|\.)/gim)];
  return COMMANDS.get(commands.at(-1)?.[1]?.toLowerCase() ?? '');
}

/** The fields of one block, by their names in lower case; if a name occurs twice, the first one counts. */
type ReportFields = ReadonlyMap<string, string>;

const MOST_BLOCKS = 100;
const FIELD = /^([!-9;-~]{1,76})[ \t]*:(.*)$/;

/** Reads blocks of header-like fields that blank lines part (RFC 3464 2.1, RFC 5965 2): at most 100. Lines that are no fields say nothing. */
export function readFieldBlocks(text: string): readonly ReportFields[] {
  const blocks: Map<string, string>[] = [];
  let block = new Map<string, string>();
  let name: string | null = null;
  for (const line of [...text.split(/\r\n|\r|\n/), '']) {
    const field = FIELD.exec(line);
    if (line.trim() === '') {
      if (block.size > 0) blocks.push(block);
      if (blocks.length === MOST_BLOCKS) return blocks;
      block = new Map();
      name = null;
    } else if (/^[ \t]/.test(line)) {
      if (name !== null) block.set(name, `${block.get(name)} ${line.trim()}`);
    } else {
      name = field ? nameOf(block, field) : null;
    }
  }
  return blocks;
}

function nameOf(block: Map<string, string>, [, given = '', value = '']: RegExpExecArray): string | null {
  const name = given.toLowerCase();
  if (block.has(name)) return null;
  block.set(name, value.trim());
  return name;
}

/** The types that mean "this is spam" or similar (RFC 5965 7.3). `not-spam` takes that back, `auth-failure` (RFC 6591) is about signatures. */
const COMPLAINTS: ReadonlySet<string> = new Set(['abuse', 'fraud', 'virus', 'other']);

/** Returns the kind of a complaint in a `message/feedback-report` part, or null when the report is no complaint. */
export function complaintType(report: string): string | null {
  const [fields] = readFieldBlocks(report);
  const type = (fields?.get('feedback-type') ?? '').toLowerCase();
  return COMPLAINTS.has(type) ? type : null;
}
