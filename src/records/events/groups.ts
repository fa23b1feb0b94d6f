import { databaseNow, insertRows } from '../../platform/mongo';
import { emailEventId } from '../../rules/email-events';
import type { EmailEventName } from '../../rules/email-events';
import type { NewEvent } from './emit';
import { EventGroupModel } from './group-model';
import type { EventGroup } from './group-model';
import type { Event } from './model';

const groups = () => EventGroupModel.collection;

/** An event of a message, with an id that stays the same however often it is emitted. */
export type EmailEvent = NewEvent & { readonly id: string; readonly name: EmailEventName; readonly emailId: string };

const groupId = (emailId: string): string => `evg_${emailId.slice('em_'.length)}`;

/** What a group says of a message. */
export interface GroupedResult extends Pick<EventGroup, 'names' | 'createdAt'> {
  readonly response: string;
}

async function resultsInGroups(emailIds: readonly string[]): Promise<ReadonlyMap<string, GroupedResult>> {
  const rows = await groups()
    .find<EventGroup>({ emails: { $in: [...emailIds] }, responses: { $exists: true }, 'names.0': { $exists: true } })
    .toArray();
  return new Map(
    rows.flatMap((row) => row.emails.map((id, at) => [id, { names: row.names, createdAt: row.createdAt, response: responseOf(row, at) }])),
  );
}

/**
 * Closes groups for these messages: none can be stored afterwards. Resolves to the messages that were in one before: the next server had accepted them. The unique
 * index decides between this and a worker that is late: either its group is there, and found, or it is refused.
 */
export async function closeGroups(
  emails: readonly { readonly _id: string; readonly projectId: string }[],
): Promise<ReadonlyMap<string, GroupedResult>> {
  if (emails.length === 0) return new Map();
  const now = await databaseNow();
  const blank = { names: [], contacts: [], source: '', responses: [], createdAt: now, receivedAt: now };
  const known = await insertRows(
    EventGroupModel,
    emails.map(({ _id, projectId }): EventGroup => ({ _id: groupId(_id), projectId, emails: [_id], ...blank })),
  );
  return resultsInGroups(known.map((at) => (emails[at] as { readonly _id: string })._id));
}

const responseOf = ({ responses = [] }: EventGroup, at: number): string => (responses.length > 1 ? responses[at] : responses[0]) ?? '';

/** Returns the events that a group holds, as rows of their own. */
export const eventsIn = (group: EventGroup): Event[] =>
  group.emails.flatMap((emailId, at) =>
    group.names.map((name) => ({
      _id: emailEventId(emailId, name),
      projectId: group.projectId,
      contactId: group.contacts[at] ?? null,
      emailId,
      name,
      data: name === 'email.queued' ? { source: group.source } : { source: group.source, response: responseOf(group, at) },
      testMode: false,
      createdAt: group.createdAt,
      receivedAt: group.receivedAt,
      depth: 0,
    })),
  );
