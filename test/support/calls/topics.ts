import type { TestApp } from '../platform/app';

export interface WireTopic {
  readonly topicId: string;
  readonly key: string;
  readonly [member: string]: unknown;
}

let keys = 0;

/** Calls that most tests of topics make, as the first project. */
export const topicCalls = (app: () => TestApp) => {
  const api = (key?: string) => app().api(key);
  return {
    /** A key that no other test has. */
    freshKey: (): string => `key_${keys++}`,
    async topic(change: object = {}, key?: string): Promise<WireTopic> {
      const { body } = await api(key)
        .post('/v1/topics')
        .send({ key: `key_${keys++}`, name: 'News', defaultSubscription: 'in', visibility: 'public', ...change })
        .expect(201);
      return body.data as WireTopic;
    },
    /** Changes the topics of a contact, by id or address. */
    choose: (which: string, topics: readonly object[], status = 200) =>
      api().patch(`/v1/contacts/${which}/topics`).send({ topics }).expect(status),
    leave: (which: string, { topicId }: WireTopic) =>
      api()
        .patch(`/v1/contacts/${which}/topics`)
        .send({ topics: [{ topicId, subscribed: false }] })
        .expect(200),
    join: (which: string, { topicId }: WireTopic) =>
      api()
        .patch(`/v1/contacts/${which}/topics`)
        .send({ topics: [{ topicId, subscribed: true }] })
        .expect(200),
    async ofContact(which: string, { topicId }: WireTopic): Promise<object | undefined> {
      const { body } = await api().get(`/v1/contacts/${which}/topics`).expect(200);
      return (body.data.data as { topicId: string }[]).find((row) => row.topicId === topicId);
    },
  };
};
