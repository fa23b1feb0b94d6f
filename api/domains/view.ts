import type { z } from 'zod';
import type { Context } from '../../src/platform/core';
import { dnsRecordsOf, verificationTokenOf } from '../../src/sending/domains';
import type { Domain } from '../../src/sending/domains';
import { bounceDomainOf, bounceStatus } from '../../src/rules/domains/records';
import type { DnsRecord } from '../../src/rules/domains/records';
import { zoneLine } from '../../src/rules/domains/zone';
import type { Domain as WireDomain } from './schemas';

const NO_TOKENS = [] as const;

export const toDomain =
  ({ core }: Pick<Context, 'core'>) =>
  (row: Domain): z.input<typeof WireDomain> => {
    const records = dnsRecordsOf(core, row);
    return {
      domainId: row._id,
      projectId: row.projectId,
      domain: row.domain,
      status: row.status,
      dkimStatus: row.records.dkim,
      spfStatus: row.records.spf,
      dmarcStatus: row.records.dmarc,
      trackingStatus: row.records.tracking,
      mailFromStatus: bounceStatus(row.records),
      mailFromDomain: bounceDomainOf(row.domain),
      selector: row.selector,
      verifiedForSending: row.status === 'verified',
      dkimTokens: NO_TOKENS,
      verificationToken: verificationTokenOf(row),
      lastCheckedAt: row.lastCheckedAt && row.lastCheckedAt.toISOString(),
      createdAt: row.createdAt.toISOString(),
      dnsRecords: records.map(({ key, purpose, type, host, value }) => ({ purpose, type, host, value, status: row.records[key] })),
      nextCheckAt: row.nextCheckAt && row.nextCheckAt.toISOString(),
      dnsChecks: records.map((record) => toCheck(row, record)),
    };
  };

const toCheck = ({ answers }: Domain, record: DnsRecord): z.input<typeof WireDomain>['dnsChecks'][number] => ({
  purpose: record.purpose,
  type: record.type,
  host: record.host,
  expected: record.value,
  answer: answers?.[record.key].said ?? null,
  found: answers?.[record.key].records ?? [],
  zoneLine: zoneLine(record),
});
