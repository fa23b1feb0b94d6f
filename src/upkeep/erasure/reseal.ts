import { resealRows } from '../../platform/mongo';
import type { Resealed } from '../../platform/mongo';
import type { Secrets } from '../../platform/secrets';
import { ErasureModel } from './model';
import { sealContextOf } from './service';

/** Brings the addresses that are still to be erased under the newest secret. */
export const resealAddresses = (secrets: Secrets): Promise<Resealed> =>
  resealRows(ErasureModel, { fields: ['addresses'], where: { addresses: { $ne: null } } }, (row) => {
    const renewed = row.addresses === null ? null : secrets.reseal(sealContextOf(row), row.addresses);
    return renewed === null ? null : { was: { addresses: row.addresses }, set: { addresses: renewed } };
  });
