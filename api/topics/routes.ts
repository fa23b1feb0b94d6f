import { contactIdOf } from '../../src/audience/contacts';
import {
  changeTopics,
  createTopic,
  deleteTopic,
  getTopic,
  listTopics,
  patchTopic,
  settleTopics,
  topicsOfContact,
} from '../../src/audience/topics';
import { countTopics } from '../../src/marketing/campaigns';
import { positionAt } from '../../src/platform/core';
import { inTransaction, positioned } from '../../src/platform/mongo';
import { ContactParams } from '../contacts/schemas';
import { updated } from '../http/audit';
import { deleted } from '../http/answers';
import { endpoint, extensions, listEndpoint } from '../http/endpoint';
import { Deleted, IdParams } from '../http/pieces';
import { ChangeContactTopics, ContactTopics, CreateTopic, Topic, TopicQuery, TopicWithFigures, UpdateTopic } from './schemas';
import type { z } from 'zod';
import type { Topic as StoredTopic, TopicState } from '../../src/audience/topics';
import type { ContactTopic } from './schemas';

export const topicExtensions = extensions('Extensions', [
  listEndpoint('GET /v1/topics', {
    operationId: 'listTopics',
    summary: 'List topics, by `order`',
    description: 'With `figures=true`, each topic has `figures`.',
    request: { query: TopicQuery },
    response: TopicWithFigures,
    list: 'whole',
    handle: async ({ ctx, query: { figures }, page: { after } }) => {
      const topics = await listTopics(ctx);
      const rest = after ? topics.slice(topics.findIndex(({ _id }) => _id === after.id) + 1) : topics;
      const reached = figures ? await countTopics(ctx.projectId, rest) : null;
      const shown = rest.map((topic) => ({ ...toTopic(topic), ...(reached && { figures: { recipients: reached.get(topic._id) ?? 0 } }) }));
      return positioned(shown, ({ topicId }) => positionAt(topicId));
    },
  }),
  endpoint('POST /v1/topics', {
    operationId: 'createTopic',
    summary: 'Create a topic',
    description: '`key` and `defaultSubscription` never change.',
    request: { body: CreateTopic },
    status: 201,
    response: Topic,
    errors: ['conflict', 'limit_exceeded'],
    audit: ({ data }) => ['topic.create', data.topicId],
    handle: async ({ ctx, body }) => toTopic(await createTopic(ctx, body)),
  }),
  endpoint('GET /v1/topics/{id}', {
    operationId: 'getTopic',
    summary: 'Get a topic',
    request: { params: IdParams },
    response: Topic,
    handle: async ({ ctx, params }) => toTopic(await getTopic(ctx, params.id)),
  }),
  endpoint('PATCH /v1/topics/{id}', {
    operationId: 'updateTopic',
    summary: 'Update a topic',
    description: '`key` and `defaultSubscription` never change.',
    request: { params: IdParams, body: UpdateTopic },
    response: Topic,
    audit: ({ params, body }) => updated('topic', params.id, body),
    handle: async ({ ctx, params, body }) => toTopic(await patchTopic(ctx, params.id, body)),
  }),
  endpoint('DELETE /v1/topics/{id}', {
    operationId: 'deleteTopic',
    summary: 'Delete a topic that nothing uses',
    description: '409 `in_use` while a template, a campaign that has not ended, a workflow or a segment names it.',
    request: { params: IdParams },
    response: Deleted,
    errors: ['in_use'],
    audit: ({ params }) => ['topic.delete', params.id],
    handle: ({ ctx, params }) => deleted(deleteTopic(ctx, params.id)),
  }),
  endpoint('GET /v1/contacts/{id}/topics', {
    operationId: 'getContactTopics',
    summary: 'Get the topics of a contact',
    request: { params: ContactParams },
    response: ContactTopics,
    handle: async ({ ctx, params }) => ({
      data: (await topicsOfContact(ctx, { contactId: contactIdOf(ctx, params.id) })).map(toContactTopic),
    }),
  }),
  endpoint('PATCH /v1/contacts/{id}/topics', {
    operationId: 'changeContactTopics',
    summary: 'Change the topics of a contact',
    description: 'Topics that are not named stay as they are. After the response, no further message of a removed topic starts.',
    request: { params: ContactParams, body: ChangeContactTopics },
    response: ContactTopics,
    handle: async ({ ctx, params, body }) => {
      const contactId = contactIdOf(ctx, params.id);
      const change = await inTransaction((session) => changeTopics(session, ctx, { contactId }, body.topics, 'api'));
      await settleTopics(ctx.core, change);
      return { data: change.states.map(toContactTopic) };
    },
  }),
]);

const toTopic = ({ _id, ...topic }: StoredTopic): z.input<typeof Topic> => ({ topicId: _id, ...topic });

const toContactTopic = ({ topic: { _id: topicId, key, name }, ...state }: TopicState): z.input<typeof ContactTopic> => ({
  topicId,
  key,
  name,
  ...state,
});
