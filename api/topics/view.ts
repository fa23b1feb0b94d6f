import type { z } from 'zod';
import type { Topic, TopicState } from '../../src/audience/topics';
import type { ContactTopic, Topic as WireTopic } from './schemas';

export const toTopic = ({ _id, createdAt, updatedAt, ...topic }: Topic): z.input<typeof WireTopic> => ({
  topicId: _id,
  key: topic.key,
  name: topic.name,
  names: topic.names,
  description: topic.description,
  defaultSubscription: topic.defaultSubscription,
  visibility: topic.visibility,
  order: topic.order,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});

export const toContactTopic = ({ topic, subscribed, explicit, since, source }: TopicState): z.input<typeof ContactTopic> => ({
  topicId: topic._id,
  key: topic.key,
  name: topic.name,
  subscribed,
  explicit,
  since: since?.toISOString() ?? null,
  source,
});
