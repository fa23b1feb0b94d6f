import { domainToUnicode } from 'node:url';
import { containing } from '../../platform/mongo';
import type { Erased } from '../../records/emails';
import { domainOf, erasedAddress } from '../../platform/addresses';
import { ContactImportModel } from './import-model';
import type { ContactImport, RowError } from './import-model';

/** Returns an address as it is stored, and as people write it. */
const formsOf = (address: string): readonly string[] => {
  const domain = domainOf(address);
  return [address, address.slice(0, -domain.length) + domainToUnicode(domain)];
};

// A row may be refused because there is more in a cell than an address.
const naming = (address: string, row: 'row.' | 'errors.') => ({
  $or: formsOf(address).flatMap((form) => [{ [`${row}email`]: containing(form) }, { [`${row}message`]: containing(form) }]),
});

const names = ({ email, message }: RowError, address: string): boolean =>
  formsOf(address).some((form) => `${email ?? ''}\n${message}`.toLowerCase().includes(form));

/** Resolves to what the lists of refused rows say of an address. */
export async function refusedRowsOf(projectId: string, address: string): Promise<readonly object[]> {
  const jobs = await ContactImportModel.find({ projectId, ...naming(address, 'errors.') }, { errors: 1 }).lean<
    Pick<ContactImport, '_id' | 'errors'>[]
  >();
  return jobs.flatMap(({ _id: importId, errors }) =>
    errors.filter((error) => names(error, address)).map((error) => ({ importId, ...error })),
  );
}

/** Replaces what the lists of refused rows say of a person. Resolves to how many imports it was. */
export async function eraseFromImports({ projectId, contactId, address, upTo }: Erased): Promise<number> {
  const { modifiedCount } = await ContactImportModel.collection.updateMany(
    { projectId, ...naming(address, 'errors.'), createdAt: { $lte: upTo } },
    { $set: { 'errors.$[row].email': erasedAddress(contactId), 'errors.$[row].message': 'Erased' } },
    { arrayFilters: [naming(address, 'row.')] },
  );
  return modifiedCount;
}
