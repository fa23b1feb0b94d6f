import { emit } from '../../../src/records/events/emit';
import { EventModel } from '../../../src/records/events/model';
import type { Event } from '../../../src/records/events/model';
import { inTransaction } from '../../../src/platform/mongo/transaction';
import { SegmentMemberModel } from '../../../src/audience/segments/member-model';
import { sweepSegments } from '../../../src/audience/segments/sweep';
import type { TestApp } from '../platform/app';
import { freshAddress } from '../data/people';
import { eventually } from '../platform/platform';

export interface WireSegment {
  readonly segmentId: string;
  readonly projectId: string;
  readonly name: string;
  readonly description: string | null;
  readonly type: 'dynamic' | 'static';
  readonly conditions: object | null;
  readonly memberCount: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A tree of one group. */
export const all = (...filters: readonly object[]) => ({ logic: 'and', groups: [{ filters }] });

export const plan = (value: string) => ({ field: 'data.plan', operator: 'equals', value });
export const memberOf = (segmentId: string) => ({ field: `segment.${segmentId}`, operator: 'memberOf' });
export const notMemberOf = (segmentId: string) => ({ field: `segment.${segmentId}`, operator: 'notMemberOf' });

/** Calls that most tests of segments make, as the first project. */
export const segmentCalls = (app: () => TestApp) => {
  const api = (key?: string) => app().api(key);
  return {
    api,
    freshAddress,
    async contact(email: string, more: object = {}): Promise<string> {
      const { body } = await api()
        .post('/v1/contacts')
        .send({ email, ...more });
      return body.data.contactId as string;
    },
    async dynamic(conditions: object, name = 'Segment'): Promise<WireSegment> {
      const { body } = await api().post('/v1/segments').send({ name, conditions }).expect(201);
      return body.data as WireSegment;
    },
    async fixed(name = 'Static'): Promise<WireSegment> {
      const { body } = await api().post('/v1/segments').send({ name, type: 'static' }).expect(201);
      return body.data as WireSegment;
    },
    async get(segmentId: string): Promise<WireSegment> {
      return (await api().get(`/v1/segments/${segmentId}`).expect(200)).body.data as WireSegment;
    },
    async patch(segmentId: string, change: object): Promise<WireSegment> {
      return (await api().patch(`/v1/segments/${segmentId}`).send(change).expect(200)).body.data as WireSegment;
    },
    async members(segmentId: string): Promise<string[]> {
      const rows = await SegmentMemberModel.find({ segmentId }).lean();
      return rows.map(({ contactId }) => contactId).sort();
    },
    /** The events of segments, in order. */
    async emitted(filter: object = {}): Promise<(readonly [name: string, contactId: string | null, segmentId: string])[]> {
      const events = await EventModel.find({ name: /^segment\./, ...filter })
        .sort({ _id: 1 })
        .lean<Event[]>();
      return events.map(({ name, contactId, data }) => [name, contactId, String(data?.['segmentId'])] as const);
    },
  };
};

let values = 0;

/** The same, and what tests need in which contacts enter and leave by what they do. */
export const followingCalls = (app: () => TestApp) => {
  const calls = segmentCalls(app);
  return {
    ...calls,
    /** A value that no other test has. */
    fresh: (): string => `value-${values++}`,
    follows: (segmentId: string, contactId: string, expected: boolean): Promise<unknown> =>
      eventually(
        `${contactId} is ${expected ? 'in' : 'out'}`,
        async () => (await calls.members(segmentId)).includes(contactId) === expected,
        5_000,
      ),
    eventsOf: async (...segmentIds: string[]) =>
      (await calls.emitted({ 'data.segmentId': { $in: segmentIds } })).map(([name, contactId]) => [name, contactId]),
    emitEvents: (contactId: string, name: string, more: object = {}): Promise<unknown> =>
      inTransaction((session) =>
        emit(session, [{ projectId: app().keys.projectId, name, contactId, testMode: false, at: new Date(), ...more }]),
      ),
    /** Compares all segments with all contacts, as the schedule does. */
    sweep: (aheadMs = 0): Promise<number> =>
      sweepSegments(app().core, {
        clock: () => new Date(Date.now() + aheadMs),
        signal: new AbortController().signal,
        beat: () => undefined,
      }),
  };
};
