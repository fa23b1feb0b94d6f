import type { SealContext, Secrets } from '../../platform/secrets';
import type { Domain } from './model';
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
