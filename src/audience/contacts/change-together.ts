import type { ClientSession } from 'mongoose';
import type { AppError, ProjectFacts } from '../../platform/core';
import { invalid } from '../../platform/core';
import type { ContactChange } from '../../rules/contact-change';
import { changed, writeContacts, dataFault } from './change';
import type { Cause, ChangedContact } from './change';
import { FieldRoom, fieldsFull } from './field-room';
import { forgetOptOuts } from './opt-outs';
import { findContacts } from './service';

export interface WantedChange {
  readonly contactId: string;
  readonly change: ContactChange;
}

type Fault = AppError | null;

/**
 * Merges into contacts that are there (docs/contacts.md, Merging), in the transaction of what does so, all with a few commands. Contacts that are gone are
 * left alone. Resolves, in their order, to why a change was not made, or to null: 422 when the fields are too many together, `limit_exceeded`.
 */
export async function changeTogether(
  session: ClientSession,
  project: Pick<ProjectFacts, '_id' | 'idSalt'>,
  wanted: readonly WantedChange[],
  cause: Cause & { readonly maxFields: number },
): Promise<readonly Fault[]> {
  const faults = new Map<WantedChange, Fault>();
  for (const some of partsOf(wanted)) {
    for (const [one, fault] of await changeEach(session, project, some, cause)) faults.set(one, fault);
  }
  return wanted.map((one) => faults.get(one) ?? null);
}

/** Splits changes so that no contact comes twice in a part: a later change of it begins with what an earlier one left. */
function partsOf(wanted: readonly WantedChange[]): readonly (readonly WantedChange[])[] {
  const times = new Map<string, number>();
  const split: WantedChange[][] = [];
  for (const one of wanted) {
    const time = times.get(one.contactId) ?? 0;
    times.set(one.contactId, time + 1);
    (split[time] ??= []).push(one);
  }
  return split;
}

async function changeEach(
  session: ClientSession,
  project: Pick<ProjectFacts, '_id' | 'idSalt'>,
  wanted: readonly WantedChange[],
  { maxFields, ...cause }: Cause & { readonly maxFields: number },
): Promise<ReadonlyMap<WantedChange, Fault>> {
  const contactIds = wanted.map(({ contactId }) => contactId);
  const contacts = await findContacts(project._id, contactIds, session);
  const outcomes = new Map<WantedChange, ChangedContact>();
  const faults = new Map<WantedChange, Fault>();
  for (const one of wanted) {
    const contact = contacts.get(one.contactId);
    if (!contact) continue;
    const outcome = changed(contact, one.change, cause.at);
    const fault = outcome.after.data === contact.data ? null : dataFault(outcome.after.data);
    if (fault) faults.set(one, invalid('data', fault.code, fault.message));
    else outcomes.set(one, outcome);
  }
  const room = await FieldRoom.open(session, project._id, maxFields, [...outcomes.values()]);
  for (const [one, outcome] of outcomes) {
    if (room.take(outcome)) continue;
    faults.set(one, fieldsFull(maxFields));
    outcomes.delete(one);
  }
  await room.close(session);
  const again = [...outcomes].filter(([{ change }]) => change.subscribed === true);
  const emails = again.map(([, { after }]) => after.email);
  await forgetOptOuts(session, project, emails);
  await writeContacts(session, project._id, [...outcomes.values()], cause);
  return faults;
}
