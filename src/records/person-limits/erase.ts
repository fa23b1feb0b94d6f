import { PersonLimitModel } from './model';

/** Removes what limits count of a person. Resolves to how many rows it was. */
export const eraseLimits = async (projectId: string, contactId: string): Promise<number> =>
  (await PersonLimitModel.collection.deleteMany({ projectId, contactId })).deletedCount;
