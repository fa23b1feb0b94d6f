import type { Erased } from '../../records/emails';
import { erasedAddress } from '../../platform/addresses';
import { ContactImportModel } from './import-model';
import type { ContactImport } from './import-model';

/** Resolves to what the lists of refused rows say of an address. */
export async function refusedRowsOf(projectId: string, address: string): Promise<readonly object[]> {
  const jobs = await ContactImportModel.find({ projectId, 'errors.email': address }, { errors: 1 }).lean<
    Pick<ContactImport, '_id' | 'errors'>[]
  >();
  return jobs.flatMap(({ _id: importId, errors }) =>
    errors.filter(({ email }) => email === address).map((error) => ({ importId, ...error })),
  );
}

/** Replaces what the lists of refused rows say of a person. Resolves to how many imports it was. */
export async function eraseFromImports({ projectId, contactId, address, upTo }: Erased): Promise<number> {
  const { modifiedCount } = await ContactImportModel.collection.updateMany(
    { projectId, 'errors.email': address, createdAt: { $lte: upTo } },
    { $set: { 'errors.$[row].email': erasedAddress(contactId), 'errors.$[row].message': 'Erased' } },
    { arrayFilters: [{ 'row.email': address }] },
  );
  return modifiedCount;
}
