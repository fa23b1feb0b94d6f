import mongoose from 'mongoose';
import { listenTo } from '../../../src/records/events/listeners';
import type { Consumer } from '../../../src/records/fan-out/host';
import { inTransaction } from '../../../src/platform/mongo/transaction';

/** Records that an event was delivered. */
export interface HandedOn {
  readonly eventId: string;
  readonly contactId: string | null;
  readonly n: unknown;
  readonly version: number;
  readonly at: Date;
}

export const handedOn = () => mongoose.connection.collection<HandedOn>('test_handed_on');

/** Notes each event that it is given, also one that it was given before. */
export const recorder: Consumer = {
  name: 'recorder',
  handle: async (_core, { _id, contactId, data }, version) => {
    await handedOn().insertOne({ eventId: _id, contactId, n: data?.['n'], version, at: new Date() });
  },
};

export const listen = (projectId: string, ...names: readonly string[]): Promise<number> =>
  inTransaction((session) => listenTo(session, projectId, 'webhook/test', names));
