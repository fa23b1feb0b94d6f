import { isDuplicate } from '../../platform/mongo';
import { PersonModel } from './model';
import type { Identity, Person } from './model';

/** Resolves to the person of an identity, or null. */
export const personOfIdentity = ({ issuer, subject }: Identity): Promise<Person | null> =>
  PersonModel.findOne({ 'identity.issuer': issuer, 'identity.subject': subject }).lean<Person>();

/** Links an identity to a person who has none. Does nothing where the person has one, or another person has this one. */
export async function linkIdentity(personId: string, identity: Identity): Promise<void> {
  try {
    await PersonModel.updateOne({ _id: personId, identity: null }, { $set: { identity } });
  } catch (error) {
    if (!isDuplicate(error)) throw error;
  }
}

/** Forgets the identity of a person: the next sign-in with the same verified address links another one. */
export const unlinkIdentity = async (personId: string): Promise<void> => {
  await PersonModel.updateOne({ _id: personId }, { $set: { identity: null } });
};
