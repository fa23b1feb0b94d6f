import { linkedHash } from './hash-chain';
import type { Sha256 } from './hash-chain';

/** The details of a consent entry, which are erased with its person; from then on, `detailsHash` stands for them. */
export interface ConsentDetails {
  /** Chance: without it a detail of few values could be guessed from the hash. */
  readonly nonce: string;
  readonly kind: string;
  readonly topicId: string | null;
  readonly source: string;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly formId: string | null;
  readonly emailId: string | null;
}

/** Members that link a consent entry to the previous one. */
export interface ConsentLink {
  /** From 1, without gaps, for each person. */
  readonly sequence: number;
  readonly at: Date;
  readonly textHash: string | null;
  readonly detailsHash: string;
  /** The hash of the previous entry; null for the first one. */
  readonly previousHash: string | null;
  readonly hash: string;
}

/** An entry as it is verified; text and details are null once they were erased. */
export interface VerifiedEntry extends ConsentLink {
  readonly id: string;
  readonly text: string | null;
  readonly details: ConsentDetails | null;
  readonly erased: boolean;
}

const hashOfDetails = ({ nonce, kind, topicId, source, ip, userAgent, formId, emailId }: ConsentDetails, sha256: Sha256): string =>
  sha256(JSON.stringify([nonce, kind, topicId, source, ip, userAgent, formId, emailId]));

const hashOf = ({ previousHash, sequence, at, textHash, detailsHash }: Omit<ConsentLink, 'hash'>, sha256: Sha256): string =>
  linkedHash(previousHash, [sequence, at.toISOString(), textHash, detailsHash], sha256);

const hashOfText = (text: string | null, sha256: Sha256): string | null => (text === null ? null : sha256(text));

/** The end of a chain. */
export type ConsentHead = Pick<ConsentLink, 'sequence' | 'hash'>;

/** Returns what links an entry to the end of its person's chain; null where it is the first. */
export function consentLink(
  head: ConsentHead | null,
  at: Date,
  { text, details }: Pick<VerifiedEntry, 'text'> & { readonly details: ConsentDetails },
  sha256: Sha256,
): ConsentLink {
  const link = {
    sequence: (head?.sequence ?? 0) + 1,
    at,
    textHash: hashOfText(text, sha256),
    detailsHash: hashOfDetails(details, sha256),
    previousHash: head?.hash ?? null,
  };
  return { ...link, hash: hashOf(link, sha256) };
}

/**
 * Verifies the chain of a person: all entries in order, and its end as it was noted apart from them. Returns the id of the first entry that is not as it was
 * written, or follows one that is missing; null when all are. Entries that are missing at the end are reported as `head`.
 */
export function brokenAt(entries: readonly VerifiedEntry[], head: ConsentHead | null, sha256: Sha256): string | null {
  let last: ConsentHead | null = null;
  for (const entry of entries) {
    if (!isIntact(entry, last, sha256)) return entry.id;
    last = entry;
  }
  return last?.sequence === head?.sequence && last?.hash === head?.hash ? null : 'head';
}

const isIntact = (entry: VerifiedEntry, before: ConsentHead | null, sha256: Sha256): boolean =>
  follows(entry, before) && (entry.erased || isAsHashed(entry, sha256)) && entry.hash === hashOf(entry, sha256);

const follows = ({ sequence, previousHash }: ConsentLink, before: ConsentHead | null): boolean =>
  before === null ? sequence === 1 && previousHash === null : sequence === before.sequence + 1 && previousHash === before.hash;

const isAsHashed = ({ text, textHash, details, detailsHash }: VerifiedEntry, sha256: Sha256): boolean =>
  details !== null && hashOfText(text, sha256) === textHash && hashOfDetails(details, sha256) === detailsHash;
