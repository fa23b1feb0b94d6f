import { EventModel } from '../../../src/records/events/model';
import type { Event } from '../../../src/records/events/model';
import { historyOf } from '../../../src/records/emails/history';
import type { HistoryRow } from '../../../src/records/emails/history';
import { EmailModel } from '../../../src/records/emails/model';

const order = ({ createdAt, _id }: Event): string => `${createdAt.toISOString()} ${_id}`;

/** The names of a message's events, in order, wherever they are stored. */
export async function eventNamesOf(emailId: string): Promise<string[]> {
  const [row, alone] = await Promise.all([
    EmailModel.collection.findOne<HistoryRow>({ _id: emailId }),
    EventModel.find({ emailId }).lean<Event[]>(),
  ]);
  const events = [...alone, ...(row ? historyOf(row) : [])];
  return events.sort((a, b) => (order(a) < order(b) ? -1 : 1)).map(({ name }) => name);
}
