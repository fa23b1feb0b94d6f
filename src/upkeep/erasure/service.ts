import type { ClientSession } from 'mongoose';
import { contactIdOf } from '../../audience/contacts';
import type { Contact } from '../../audience/contacts';
import type { Context } from '../../platform/core';
import { erasureWorkflowId } from '../../contracts/removals';
import type { ErasureInput } from '../../contracts/removals';
import type { StartIntent } from '../../contracts/processes';
import { newId, notFound } from '../../platform/core';
import { wantNow } from '../../platform/outbox';
import type { SealContext, Secrets } from '../../platform/secrets';
import { resealRows } from '../../platform/mongo';
import type { Resealed } from '../../platform/mongo';
import { ErasureModel } from './model';
import type { Erasure } from './model';

/** Returns what the sealed addresses of an erasure are bound to. */
export const sealContextOf = ({ _id, projectId }: Pick<Erasure, '_id' | 'projectId'>): SealContext => ({
  collection: 'erasures',
  id: _id,
  projectId,
});

/** Records the contacts to erase, in the transaction of their deletion, together with the intent of the workflow. */
export async function begin(
  session: ClientSession,
  { core, projectId }: Context,
  contacts: readonly Contact[],
  before: Date,
): Promise<void> {
  const key = { _id: newId('era'), projectId };
  const contactIds = contacts.map(({ _id }) => _id);
  const erasure: Erasure = {
    ...key,
    contactIds,
    addresses: core.secrets.encrypt(sealContextOf(key), JSON.stringify(contacts.map(({ email }) => email))),
    before,
    status: 'running',
    pass: { done: 0, began: null, open: 0 },
    open: 0,
    waits: 0,
    erased: {},
    finishedAt: null,
  };
  await ErasureModel.collection.insertOne(erasure, { session });
  await wantNow(session, core, [intentOf(erasure)]);
}

/** Returns the workflow that carries an erasure out. */
function intentOf({ _id, projectId, contactIds }: Pick<Erasure, '_id' | 'projectId' | 'contactIds'>): StartIntent {
  const [contactId, ...others] = contactIds;
  return {
    kind: 'start',
    workflow: 'erasure',
    workflowId: erasureWorkflowId(_id),
    input: { erasureId: _id, projectId },
    summary: `Erasure of ${contactIds.length === 1 ? 'a deleted contact' : `${contactIds.length} deleted contacts`}`,
    attributes: { projectId, ...(contactId !== undefined && others.length === 0 && { contactId }) },
    lasts: true,
  };
}

/** Resolves to whether an erasure is done, or was never asked for as far as the database knows. */
export const isErasureOver = async ({ erasureId, projectId }: ErasureInput): Promise<boolean> =>
  (await ErasureModel.exists({ _id: erasureId, projectId, status: { $ne: 'completed' } })) === null;

/** Resolves to the latest erasure of a contact, by its id or address. Throws `not_found`. */
export async function getErasure(ctx: Context, which: string): Promise<Erasure> {
  const filter = { projectId: ctx.projectId, contactIds: contactIdOf(ctx, which) };
  const erasure = await ErasureModel.findOne(filter).sort({ before: -1 }).lean<Erasure>();
  if (!erasure) throw notFound('Erasure');
  return erasure;
}

/** Brings the addresses that are still to be erased under the newest secret. */
export const resealAddresses = (secrets: Secrets): Promise<Resealed> =>
  resealRows(ErasureModel, { fields: ['addresses'], where: { addresses: { $ne: null } } }, (row) => {
    const renewed = row.addresses === null ? null : secrets.reseal(sealContextOf(row), row.addresses);
    return renewed === null ? null : { was: { addresses: row.addresses }, set: { addresses: renewed } };
  });
