import { EventGroupModel } from '../../../src/records/events/group-model';
import type { EventGroup } from '../../../src/records/events/group-model';
import { EventModel } from '../../../src/records/events/model';
import type { Event } from '../../../src/records/events/model';
import { eventsOfSlices } from '../../../src/records/events/slices';
import { EmailModel } from '../../../src/records/emails/model';
import type { WrittenRow } from '../../../src/records/emails/written-once';

const order = ({ createdAt, _id }: Event): string => `${createdAt.toISOString()} ${_id}`;

/** The names of a message's events, in order, wherever they are stored. */
export async function eventNamesOf(emailId: string): Promise<string[]> {
  const row = await EmailModel.collection.findOne<WrittenRow>({ _id: emailId });
  const [alone, slices] = await Promise.all([
    EventModel.find({ emailId }).lean<Event[]>(),
    EventGroupModel.find({ _id: { $in: [row?.queuedIn ?? '', row?.slice ?? ''] } }).lean<EventGroup[]>(),
  ]);
  const held = await eventsOfSlices(row?.projectId ?? '', slices);
  const events = [...alone, ...held.filter((event) => event.emailId === emailId)];
  return events.sort((a, b) => (order(a) < order(b) ? -1 : 1)).map(({ name }) => name);
}
