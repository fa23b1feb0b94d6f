import { EventModel } from '../../../../src/records/events/model';
import type { Event } from '../../../../src/records/events/model';
import type { TestApp } from '../../../support/platform/app';
import { rowsOf } from '../../../support/calls/lists';

export interface WireContact {
  readonly contactId: string;
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly subscribed: boolean;
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly locale: string | null;
  readonly timezone: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Calls that most tests of contacts make, as the first project. */
export const contactCalls = (app: () => TestApp) => {
  const api = (key?: string) => app().api(key);
  return {
    api,
    async upsert(email: string, more: object = {}, status: 200 | 201 = 201, key?: string): Promise<WireContact> {
      const { body } = await api(key)
        .post('/v1/contacts')
        .send({ email, ...more })
        .expect(status);
      return body.data as WireContact;
    },
    async get(which: string): Promise<WireContact> {
      const { body } = await api()
        .get(`/v1/contacts/${encodeURIComponent(which)}`)
        .expect(200);
      return body.data as WireContact;
    },
    walk: <T = WireContact>(path: string, query: object, onPage?: (index: number) => Promise<unknown>): Promise<T[]> =>
      rowsOf<T>(api(), path, query, onPage),
    /** The new events of a contact, in order. */
    async emitted(contactId: string | null): Promise<Pick<Event, 'name' | 'data' | 'testMode'>[]> {
      const filter = { projectId: app().keys.projectId, contactId };
      const events = await EventModel.find(filter).sort({ createdAt: 1, _id: 1 }).lean<Event[]>();
      return events.map(({ name, data, testMode }) => ({ name, data, testMode }));
    },
  };
};
