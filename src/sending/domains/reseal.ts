import { resealRows } from '../../platform/mongo';
import type { Resealed } from '../../platform/mongo';
import type { Secrets } from '../../platform/secrets';
import { sealContextOf } from './seal-context';
import { DomainModel } from './model';

/** Brings the DKIM keys of all domains under the newest secret. */
export const resealDkimKeys = (secrets: Secrets): Promise<Resealed> =>
  resealRows(DomainModel, { fields: ['dkimPrivateKey'] }, (row) => {
    const renewed = secrets.reseal(sealContextOf(row), row.dkimPrivateKey);
    return renewed === null ? null : { was: { dkimPrivateKey: row.dkimPrivateKey }, set: { dkimPrivateKey: renewed } };
  });
