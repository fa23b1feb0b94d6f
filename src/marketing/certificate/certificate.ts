import { Readable } from 'node:stream';
import { sha256 } from '../../platform/core';
import { Certificate } from '../../rules/certificate';
import type { CertificateFigures, CertifiedRecipient, ChainEnd, Group } from '../../rules/certificate';

/** The recipients that a certificate is about. */
export interface CertificateSource {
  readonly group: Group;
  /** Whether no recipient is added any more; asked after the pages were read. */
  readonly isOver: () => boolean;
  /** Reads all recipients once, page by page, in an order that never changes. */
  readonly pages: () => AsyncIterable<readonly CertifiedRecipient[]>;
}

/** A certificate with its figures. */
export interface Certified {
  readonly figures: CertificateFigures;
  readonly asOf: Date;
  /** Whether nothing is left to happen. */
  readonly final: boolean;
  /** When it is final, if nothing bounces until then; null while that is not known. */
  readonly finalAt: Date | null;
  readonly chain: ChainEnd;
}

/** Resolves to a certificate. Figures and chain are of one pass over all recipients, each of whom is in one figure, so that the sums add up at any instant. */
export async function certificateOf({ group, isOver, pages }: CertificateSource): Promise<Certified> {
  const asOf = new Date();
  const certificate = new Certificate(group, sha256);
  for await (const page of pages()) for (const recipient of page) certificate.add(recipient);
  const { figures, end, openUntil } = certificate;
  const isOpen = !isOver() || figures.pending > 0 || openUntil === 'without_end';
  const finalAt = isOpen ? null : (openUntil ?? asOf);
  return { figures, asOf, final: finalAt !== null && finalAt <= asOf, finalAt, chain: end };
}

/** Returns the lines of a certificate as CSV, read page by page as they are taken. */
export const streamCertificate = (source: CertificateSource): Readable => Readable.from(lines(source), { objectMode: false });

async function* lines({ group, pages }: CertificateSource): AsyncGenerator<string> {
  const certificate = new Certificate(group, sha256);
  yield certificate.header;
  for await (const page of pages()) if (page.length > 0) yield page.map((recipient) => certificate.add(recipient)).join('');
}
