import { z } from 'zod';
import { domainIn, normalizeDomain } from '../../src/platform/addresses';
import { isPublicDomain } from '../../src/sending/domains';
import { MAX_DOMAIN_LENGTH } from '../../src/rules/domains/records';
import { because, extended, fault, flag, optionalText, optionalTimestamp, timestamp } from '../http/pieces';
import { PATTERNS } from '../http/patterns';

const status = z.enum(['pending', 'verified', 'failed']);
const optionalStatus = z.enum(['pending', 'verified', 'failed', 'not_applicable']);

const purpose = z.enum(['ownership', 'dkim', 'spf', 'dmarc', 'tracking', 'mailfrom']);
const recordType = z.enum(['TXT', 'CNAME', 'MX']);

const DnsRecord = z
  .object({
    purpose,
    type: recordType,
    host: z.string(),
    value: z.string(),
    status: optionalStatus,
  })
  .meta({ id: 'DnsRecord' });

const DnsCheck = z
  .object({
    purpose,
    type: recordType,
    host: z.string(),
    expected: z.string(),
    answer: z.enum(['found', 'none', 'unknown']).nullable(),
    found: z.array(z.string()).readonly(),
    zoneLine: z.string(),
  })
  .meta({ id: 'DnsCheck' });

export const Domain = z
  .object({
    domainId: z.string(),
    projectId: z.string(),
    domain: z.string(),
    status,
    dkimStatus: optionalStatus,
    spfStatus: status,
    dmarcStatus: status,
    trackingStatus: status,
    mailFromStatus: optionalStatus,
    mailFromDomain: optionalText,
    selector: optionalText.meta({ description: 'The DKIM key is published at <selector>._domainkey.<domain>' }),
    verifiedForSending: z.boolean(),
    dkimTokens: z.array(z.string()).readonly(),
    verificationToken: optionalText,
    lastCheckedAt: optionalTimestamp,
    createdAt: timestamp,
    dnsRecords: z.array(DnsRecord).readonly().meta({ description: 'The value to publish' }),
    nextCheckAt: extended(optionalTimestamp, 'When DNS is checked next; null if no check is planned until you call `verify`'),
    dnsChecks: extended(z.array(DnsCheck).readonly(), 'The answer of DNS at `lastCheckedAt` for each of `dnsRecords`, in their order'),
  })
  .meta({ id: 'Domain' });

function notADomain(text: string): string {
  const meant = domainIn(text);
  return `Not a domain name${meant === null ? '' : `: did you mean "${meant}"?`}`;
}

/** Longer ones leave no room for the names of their records. */
const sendingDomain = z
  .string()
  .transform((text, ctx) => normalizeDomain(text) ?? fault(ctx, 'invalid_string', notADomain(text)))
  .refine(({ length }) => length <= MAX_DOMAIN_LENGTH, because('too_big', `A sending domain has at most ${MAX_DOMAIN_LENGTH} characters`))
  .refine((domain) => !isPublicDomain(domain), because('reserved_name', 'A public domain cannot be a sending domain; use your own domain'))
  .meta({ pattern: PATTERNS.domain, maxLength: MAX_DOMAIN_LENGTH, description: 'An internationalised name is stored in its ASCII form' });

export const DeleteDomainQuery = z.object({
  cancelWaiting: flag.default(false).meta({ description: 'Whether to cancel waiting messages from the domain' }),
});

export const CreateDomain = z.strictObject({ domain: sendingDomain, dkim: z.enum(['rsa2048']).default('rsa2048') });
