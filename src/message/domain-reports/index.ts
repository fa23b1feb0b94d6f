import type { ReadPart } from '../reader';
import { readDmarc } from './dmarc';
import type { DomainReport } from './report';
import { readTls } from './tls';
import { markOf, maybeReport, unpacked } from './report';

export type { Disposition, DmarcReport, DmarcRow, DomainReport, PublishedPolicy, TlsPolicy, TlsReport } from './report';

/** A mail brings one; some reporters put both kinds into one. */
const MOST_REPORTS = 4;

/** Reads the reports on domains that a mail brings as files: packed by gzip or zip, or plain. One that cannot be read is null. */
export const readDomainReports = (parts: readonly ReadPart[]): readonly (DomainReport | null)[] =>
  parts
    .flatMap(({ bytes }) => (bytes && maybeReport(bytes) ? [bytes] : []))
    .slice(0, MOST_REPORTS)
    .map(readOne);

function readOne(bytes: Uint8Array): DomainReport | null {
  try {
    const plain = unpacked(bytes);
    return markOf(plain) === '{' ? readTls(plain) : readDmarc(plain);
  } catch {
    return null;
  }
}
