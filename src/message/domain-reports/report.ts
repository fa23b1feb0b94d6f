import { oneLine } from '../reader';
import type { DMARC_POLICIES } from '../../rules/authentication';

/** The treatment of mail by a receiver, or the one that the owner of its domain asks for. */
export type Disposition = (typeof DMARC_POLICIES)[number];

/** The DMARC policy of a domain, as the receiver saw it. */
export interface PublishedPolicy {
  readonly p: Disposition;
  readonly sp: Disposition | null;
  readonly pct: number | null;
  readonly adkim: 'r' | 's';
  readonly aspf: 'r' | 's';
}

/** Messages from one address with the same judgment. */
export interface DmarcRow {
  readonly ip: string;
  readonly messages: number;
  readonly disposition: Disposition;
  /** Passed, with a domain that aligns with From. */
  readonly dkim: boolean;
  readonly spf: boolean;
  readonly headerFrom: string;
  /** Signatures that passed, of any domain. */
  readonly signatures: readonly Signature[];
  /** The domain for which SPF passed. */
  readonly envelope: string | null;
}

export interface Signature {
  readonly domain: string;
  readonly selector: string;
}

interface Heading {
  /** Name of the organization, as it calls itself. */
  readonly organization: string;
  readonly reportId: string;
  readonly from: Date;
  readonly to: Date;
}

/** An aggregate report of DMARC (RFC 7489 appendix C, RFC 9990). */
export interface DmarcReport extends Heading {
  readonly kind: 'dmarc';
  readonly domain: string;
  readonly policy: PublishedPolicy;
  readonly rows: readonly DmarcRow[];
}

/** Sessions under one policy of one domain. */
export interface TlsPolicy {
  readonly domain: string;
  readonly type: string;
  readonly successful: number;
  readonly failed: number;
  readonly failures: readonly { readonly type: string; readonly sessions: number }[];
}

/** A report on TLS (RFC 8460). */
export interface TlsReport extends Heading {
  readonly kind: 'tls';
  readonly policies: readonly TlsPolicy[];
}

export type DomainReport = DmarcReport | TlsReport;

const NAME_LENGTH = 200;

/** Returns a text of a stranger as one line of limited length. */
export const nameIn = (text: string): string => oneLine(text, NAME_LENGTH);
