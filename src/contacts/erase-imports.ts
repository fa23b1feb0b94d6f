import type { Erased } from '../emails/erase';
import { erasedAddress } from '../erased-address';
import { ContactImportModel } from './import-model';

/** Replaces what the lists of refused rows say of a person. Resolves to how many imports it was. */
export async function eraseFromImports({ projectId, contactId, address, upTo }: Erased): Promise<number> {
  const { modifiedCount } = await ContactImportModel.collection.updateMany(
    { projectId, 'errors.email': address, createdAt: { $lte: upTo } },
    { $set: { 'errors.$[row].email': erasedAddress(contactId), 'errors.$[row].message': 'Erased' } },
    { arrayFilters: [{ 'row.email': address }] },
  );
  return modifiedCount;
}
