import { createHash } from 'node:crypto';
import { domainOf } from '../../platform/addresses';
import { claimsIn } from '../../message/dkim';
import type { Claim } from '../../message/dkim';
import { readDomainReports } from '../../message/domain-reports';
import type { DomainReport } from '../../message/domain-reports';
import { readMail } from '../../message/reader';
import type { ReadMail } from '../../message/reader';

/** A message with more signatures is meant to keep us busy; mail that lists have forwarded has three or four. */
const MOST_SIGNATURES = 10;
/** Number of signatures that are verified. */
const JUDGED = 3;
const JUDGED_OF_LARGE = 2;
const LARGE = 1_048_576;

export interface Wanted {
  /** Number of bytes of its files that are kept. */
  readonly keepBytes: number;
  /** Whether its signatures are to be checked. */
  readonly claims: boolean;
  /** Whether the reports on domains that it brings are to be read, instead of its files. */
  readonly domainReports?: boolean;
}

/** All that takes time by the length of a message. */
export interface Examined {
  readonly mail: ReadMail;
  /** A hash of the text as written, the same on any route: each host that forwards a message adds to its head. */
  readonly fingerprint: string;
  readonly claims: readonly Claim[];
  /** The reports that it brings; null for one that cannot be read. */
  readonly domainReports: readonly (DomainReport | null)[];
}

/** Takes a message apart. Throws for one that cannot be read, however often it is tried. */
export function examine(bytes: Buffer, { keepBytes, claims, domainReports = false }: Wanted): Examined {
  const mail = readMail(bytes, keepBytes);
  return {
    mail: domainReports ? { ...mail, parts: [] } : mail,
    fingerprint: fingerprint(bytes),
    claims: claims ? claimsOf(mail, bytes) : [],
    domainReports: domainReports ? readDomainReports(mail.parts) : [],
  };
}

function claimsOf({ fields, author }: ReadMail, bytes: Buffer): readonly Claim[] {
  const signatures = fields.filter(([name]) => name === 'dkim-signature').length;
  if (signatures === 0) return [];
  if (signatures > MOST_SIGNATURES) return [{ kind: 'judged', domain: '', result: 'policy' }];
  const most = bytes.length > LARGE ? JUDGED_OF_LARGE : JUDGED;
  return claimsIn(bytes, { most, authorDomain: domainOf(author.address.toLowerCase()), now: new Date() });
}

function fingerprint(bytes: Buffer): string {
  const headEnd = bytes.indexOf('\r\n\r\n');
  return createHash('sha256')
    .update(bytes.subarray(Math.max(headEnd, 0)))
    .digest('base64url');
}
