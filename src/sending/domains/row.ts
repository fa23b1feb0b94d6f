import { createHash } from 'node:crypto';
import type { Core } from '../../platform/core';
import { base32, newId } from '../../platform/core';
import { generateDkimKeyPair } from '../../message/dkim';
import { RECORD_KEYS, REQUIRED, recordsOf } from '../../rules/domains/records';
import type { DnsRecord, RecordKey, RecordStatus, RecordStatuses } from '../../rules/domains/records';
import { NOT_MISSING } from '../../rules/domains/status';
import type { Standing } from '../../rules/domains/status';
import type { Domain } from './model';
import type { SealContext, Secrets } from '../../platform/secrets';
import { resealRows } from '../../platform/mongo';
import type { Resealed } from '../../platform/mongo';
import { DomainModel } from './model';

/** Returns the context to which a domain's private key is sealed. */
export const sealContextOf = ({ _id, projectId }: Pick<Domain, '_id' | 'projectId'>): SealContext => ({
  collection: 'domains',
  id: _id,
  projectId,
});

/** Brings the DKIM keys of all domains under the newest secret. */
export const resealDkimKeys = (secrets: Secrets): Promise<Resealed> =>
  resealRows(DomainModel, { fields: ['dkimPrivateKey'] }, (row) => {
    const renewed = secrets.reseal(sealContextOf(row), row.dkimPrivateKey);
    return renewed === null ? null : { was: { dkimPrivateKey: row.dkimPrivateKey }, set: { dkimPrivateKey: renewed } };
  });

const CHANCE_LENGTH = 8;

const each = (statusOf: (key: RecordKey) => RecordStatus): RecordStatuses =>
  Object.fromEntries(RECORD_KEYS.map((key) => [key, statusOf(key)])) as RecordStatuses;

/** Returns statuses in which the required records are verified. */
export const requiredVerified = (): RecordStatuses =>
  each((key) => ((REQUIRED as readonly RecordKey[]).includes(key) ? 'verified' : 'pending'));

/** Resolves to a pending domain with a key of its own, not stored yet. */
export async function newDomain(core: Pick<Core, 'secrets'>, projectId: string, domain: string, now: Date): Promise<Domain> {
  const _id = newId('dom', now.getTime());
  const { privateKeyPem, publicKeyBase64 } = await generateDkimKeyPair();
  return {
    _id,
    projectId,
    domain,
    status: 'pending',
    development: false,
    selector: `lm${_id.slice(-CHANCE_LENGTH)}`,
    dkimPrivateKey: core.secrets.encrypt(sealContextOf({ _id, projectId }), privateKeyPem),
    dkimPublicKey: publicKeyBase64,
    records: each(() => 'pending'),
    answers: null,
    missingSince: NOT_MISSING,
    windowBeganAt: null,
    verifiedAt: null,
    lastCheckedAt: null,
    requestedAt: null,
    nextCheckAt: now,
    revision: 0,
    createdAt: now,
  };
}

/** Proves that the domain's owner wants this row: no secret, and different for each row. */
export const verificationTokenOf = ({ _id, dkimPublicKey }: Pick<Domain, '_id' | 'dkimPublicKey'>): string =>
  base32(createHash('sha256').update(`${_id}/${dkimPublicKey}`).digest().subarray(0, 20));

/** Returns the records to publish for a domain. */
export const dnsRecordsOf = (core: Pick<Core, 'config'>, row: Domain): readonly DnsRecord[] =>
  recordsOf({ ...row, verificationToken: verificationTokenOf(row) }, core.config);

/** Returns what the rules of verification know of a domain, its instants in milliseconds. */
export const standingOf = ({ status, records, missingSince, windowBeganAt }: Domain): Standing => ({
  status,
  records,
  missingSince: { ownership: missingSince.ownership?.getTime() ?? null, dkim: missingSince.dkim?.getTime() ?? null },
  windowBeganAt: windowBeganAt?.getTime() ?? null,
});

const dateOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

/** Returns the stored fields of a standing. */
export const standingFields = ({ status, records, missingSince, windowBeganAt }: Standing) => ({
  status,
  records,
  missingSince: { ownership: dateOf(missingSince.ownership), dkim: dateOf(missingSince.dkim) },
  windowBeganAt: dateOf(windowBeganAt),
});
