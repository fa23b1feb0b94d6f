import type { z } from 'zod';
import type { Segment as WireSegment } from '../../segments/schemas';
import type { Topic as WireTopic } from '../../topics/schemas';
import { AppError, newId } from '../../../src/platform/core';
import type { Foreign } from '../kit/declare';
import { membersOf, renamed, stated } from '../kit/members';
import { perform } from '../kit/operations';
import { byId, resend, wholeList } from './declare';

type Segment = z.output<typeof WireSegment>;
type Topic = z.output<typeof WireTopic>;

export const segmentView = ({ segmentId, name, createdAt }: Segment) => ({ id: segmentId, name, created_at: createdAt });

/** Returns the routes of segments, also under their older name, audiences. */
const segmentsAs = (name: 'segments' | 'audiences', object: 'segment' | 'audience') => [
  resend(`POST /${name}`, 'createSegment', async (request) => {
    const { name: called } = membersOf(request.body);
    const segment = await perform<Segment>('createSegment', request, { body: { name: called, type: 'static' } });
    return { object, id: segment.segmentId, name: segment.name };
  }),
  resend(`GET /${name}`, 'listSegments', (request) =>
    wholeList<Segment>(request, { operationId: 'listSegments', idOf: ({ segmentId }) => segmentId, show: segmentView }),
  ),
  resend(`GET /${name}/{segmentId}`, 'getSegment', async (request) => {
    const asked = { params: { id: request.params['segmentId'] } };
    return { object, ...segmentView(await perform<Segment>('getSegment', request, asked)) };
  }),
  resend(`PATCH /${name}/{segmentId}`, 'updateSegment', async (request) => {
    const { segmentId } = request.params;
    await perform('updateSegment', request, { params: { id: segmentId }, body: renamed(membersOf(request.body), { name: 'name' }) });
    return { object, id: segmentId };
  }),
  resend(`DELETE /${name}/{segmentId}`, 'deleteSegment', async (request) => {
    const { segmentId } = request.params;
    await perform('deleteSegment', request, { params: { id: segmentId } });
    return { object, id: segmentId, deleted: true };
  }),
];

export const segmentRoutes = [...segmentsAs('segments', 'segment'), ...segmentsAs('audiences', 'audience')];

const TO_SUBSCRIPTION: Readonly<Record<string, string>> = { opt_in: 'in', opt_out: 'out' };

const topicView = ({ topicId, name, description, defaultSubscription, visibility, createdAt }: Topic) => ({
  id: topicId,
  name,
  description,
  default_subscription: `opt_${defaultSubscription}`,
  visibility,
  created_at: createdAt,
});

const MOST_KEY = 48;

/** Derives a key from a topic's name: topics have none there. */
function keyOf(name: unknown): string {
  const words =
    typeof name === 'string'
      ? name
          .normalize('NFKD')
          .toLowerCase()
          .replaceAll(/[^a-z0-9]+/g, '_')
      : '';
  const key = words.replaceAll(/^_+|_+$/g, '').slice(0, MOST_KEY);
  return /^[a-z]/.test(key) ? key : `topic_${key}`;
}

async function createTopic(request: Foreign) {
  const given = stated(membersOf(request.body));
  const { name, default_subscription: subscription } = given;
  const defaultSubscription = typeof subscription === 'string' ? (TO_SUBSCRIPTION[subscription] ?? subscription) : subscription;
  const topic = { ...renamed(given, { name: 'name', description: 'description', visibility: 'visibility' }), defaultSubscription };
  const make = (key: string) => perform<Topic>('createTopic', request, { body: { ...topic, key } });
  try {
    return await make(keyOf(name));
  } catch (error) {
    // Another topic has a key of the same name.
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    return make(`${keyOf(name)}_${newId('t').slice(-8).toLowerCase()}`);
  }
}

export const topicRoutes = [
  resend('POST /topics', 'createTopic', async (request) => ({ object: 'topic', id: (await createTopic(request)).topicId })),
  resend('GET /topics', 'listTopics', (request) =>
    wholeList<Topic>(request, { operationId: 'listTopics', idOf: ({ topicId }) => topicId, show: topicView }),
  ),
  resend('GET /topics/{id}', 'getTopic', async (request) => ({
    object: 'topic',
    ...topicView(await perform<Topic>('getTopic', request, byId(request))),
  })),
  resend('PATCH /topics/{id}', 'updateTopic', async (request) => {
    const body = renamed(membersOf(request.body), { name: 'name', description: 'description', visibility: 'visibility' });
    await perform('updateTopic', request, { ...byId(request), body });
    return { object: 'topic', id: request.params['id'] };
  }),
  resend('DELETE /topics/{id}', 'deleteTopic', async (request) => {
    await perform('deleteTopic', request, byId(request));
    return { object: 'topic', id: request.params['id'], deleted: true };
  }),
];
