import { simpleParser } from 'mailparser';
import type { AddressObject, ParsedMail } from 'mailparser';
import type { MailStore, StoredMail } from './sink-store';

/** A message as the inbox shows it. `to` and `envelopeFrom` are the envelope's, `from` is the header's address. */
export interface InboxMail {
  readonly to: string;
  readonly from: string;
  readonly envelopeFrom: string;
  readonly subject: string;
  /** Headers by lower-case name, unfolded; a repeated header has all its values, in order. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly html: string | null;
  readonly text: string | null;
  /** ISO 8601 instant. */
  readonly receivedAt: string;
}

function headersOf(parsed: ParsedMail): Record<string, string | string[]> {
  const values = new Map<string, string[]>();
  for (const { key, line } of parsed.headerLines) {
    const value = line
      .slice(line.indexOf(':') + 1)
      .replace(/\r?\n(?=[ \t])/g, '')
      .trim();
    values.set(key, [...(values.get(key) ?? []), value]);
  }
  return Object.fromEntries([...values].map(([key, list]) => [key, list.length === 1 ? (list[0] ?? '') : list]));
}

const firstAddress = (header: AddressObject | undefined): string => header?.value[0]?.address ?? '';

async function parse(mail: StoredMail, raw: Buffer): Promise<InboxMail> {
  const parsed = await simpleParser(raw, { skipHtmlToText: true, skipTextToHtml: true, skipTextLinks: true, skipImageLinks: true });
  return {
    to: mail.to,
    from: firstAddress(parsed.from),
    envelopeFrom: mail.from,
    subject: parsed.subject ?? '',
    headers: headersOf(parsed),
    html: parsed.html === false ? null : parsed.html,
    text: parsed.text ?? null,
    receivedAt: mail.receivedAt,
  };
}

/** Parses messages when they are asked for, each once as long as it is among the newest. */
export class Inbox {
  private readonly parsed = new Map<number, Promise<InboxMail | null>>();

  constructor(private readonly store: MailStore) {}

  /** Resolves to the messages there are, newest first. */
  newest(): readonly StoredMail[] {
    return this.store.newest();
  }

  /** Resolves to a message, or null when there is none of that id any more. */
  mail(id: number): Promise<InboxMail | null> {
    const known = this.parsed.get(id);
    if (known) return known;
    this.forgetOld();
    const mail = this.read(id);
    this.parsed.set(id, mail);
    mail.catch(() => this.parsed.delete(id));
    return mail;
  }

  /** Resolves to a message as it was received, or null. */
  source(id: number): Promise<Buffer | null> {
    return this.store.raw(id);
  }

  private async read(id: number): Promise<InboxMail | null> {
    const mail = this.store.newest().find((candidate) => candidate.id === id);
    const raw = await this.store.raw(id);
    return mail && raw ? parse(mail, raw) : null;
  }

  private forgetOld(): void {
    const oldest = this.store.newest().at(-1)?.id ?? 0;
    for (const id of this.parsed.keys()) if (id < oldest) this.parsed.delete(id);
  }
}
