import { dkimSignature } from '../dkim';
import type { DkimKey } from '../dkim';
import { textPart } from '../mime';
import type { HeaderField, MailScratch, Pieces } from '../mime';
import { textPartsIn } from '../reader';
import type { TextPart } from '../reader';
import { fieldOf, headAt, renderHead } from './head';

/** A message that came composed, on its way out. */
export interface GivenMail {
  /** With CRLF line ends. */
  readonly bytes: Buffer;
  /** Texts instead of those that it has, where it has one of the kind; null for those that stay. */
  readonly texts: Readonly<Record<TextPart['kind'], Pieces | null>>;
  /** Fields that it gets, instead of its own of the same names. */
  readonly fields: readonly HeaderField[];
  readonly date: Date;
  readonly dkim: DkimKey;
}

/** Composes the message for DATA, one character a byte: its own bytes but for what is replaced, signed. The same input gives the same message. */
export async function composeGiven({ bytes, texts, fields, date, dkim }: GivenMail, scratch: MailScratch): Promise<string> {
  const mail = withTexts(bytes, texts, scratch);
  const head = headOf(mail, 0);
  const replaced = new Set(fields.map(({ name }) => name.toLowerCase()));
  const all = [...fields.map(fieldOf), ...head.fields.filter(({ name }) => !replaced.has(name.toLowerCase()))];
  const body = mail.subarray(head.bodyAt);
  const signature = await dkimSignature(dkim, all, body, date);
  return renderHead([fieldOf(signature), ...all]) + body.toString('latin1');
}

// Checked when the message was accepted.
function headOf(bytes: Buffer, from: number): NonNullable<ReturnType<typeof headAt>> {
  const head = headAt(bytes, from);
  if (!head) throw new Error('A stored message has a head that cannot be read');
  return head;
}

/** Returns a message with other texts. A kind of which it has none, or more than one, stays as it is. */
function withTexts(bytes: Buffer, texts: GivenMail['texts'], scratch: MailScratch): Buffer {
  if (texts.html === null && texts.plain === null) return bytes;
  const parts = textPartsIn(bytes);
  const isWellFormed = (part: TextPart): boolean => headAt(bytes, part.headAt)?.bodyAt === part.bodyAt;
  const isOnly = ({ kind }: TextPart): boolean => parts.filter((part) => part.kind === kind).length === 1;
  const pieces: Buffer[] = [];
  let at = 0;
  for (const part of parts) {
    const text = texts[part.kind];
    if (text === null || !isOnly(part) || !isWellFormed(part)) continue;
    pieces.push(bytes.subarray(at, part.headAt), rewritten(bytes, part, text, scratch));
    at = part.bodyEnd;
  }
  return Buffer.concat([...pieces, bytes.subarray(at)]);
}

const OF_ENCODING: ReadonlySet<string> = new Set(['content-type', 'content-transfer-encoding', 'content-md5', 'content-length']);

/** Returns a part with another text; the fields of its head stay, except its type and encoding. */
function rewritten(bytes: Buffer, { kind, headAt: from, bodyEnd }: TextPart, text: Pieces, scratch: MailScratch): Buffer {
  const kept = headOf(bytes, from).fields.filter(({ name }) => !OF_ENCODING.has(name.toLowerCase()));
  // The line break at the end of a message is its own; that at the end of a part belongs to the boundary.
  const end = bodyEnd === bytes.length ? '\r\n' : '';
  return Buffer.from(`${kept.map(({ line }) => `${line}\r\n`).join('')}${textPart(kind, text, scratch)}${end}`, 'latin1');
}
