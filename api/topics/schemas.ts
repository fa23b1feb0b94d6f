import { z } from 'zod';
import { keyed } from '../http/keys-and-repeats';
import { isLanguageTag } from '../../src/rules/languages';
import { PATTERNS } from '../http/patterns';
import { boundedArray, count, fault, newFieldName, flag, id, name, optionalText, timestamp } from '../http/pieces';

const MAX_LANGUAGES = 100;

const key = newFieldName.meta({ description: 'How conditions and columns name it, as `topic.<key>`; it never changes' });
const names = keyed(name, {
  most: MAX_LANGUAGES,
  what: 'languages',
  check: (languages, ctx) => {
    for (const language of languages) {
      if (!isLanguageTag(language)) fault(ctx, 'invalid_string', 'Not a BCP 47 language tag', [language]);
    }
  },
}).meta({
  description: 'Its name by language (BCP 47), where `name` is not the right one',
  propertyNames: { pattern: PATTERNS.locale },
  maxProperties: MAX_LANGUAGES,
});
const description = z.string().max(10_000).nullable();
const defaultSubscription = z
  .enum(['in', 'out'])
  .meta({ description: 'Whether contacts who did not choose get its mail (`in`) or not (`out`); it never changes' });
const visibility = z.enum(['public', 'private']).meta({ description: 'Public pages show a `private` topic only to people who are in it' });
const order = z.int().min(-1_000_000).max(1_000_000).meta({ description: 'Its place in lists: the lowest first, then the oldest' });

export const Topic = z
  .object({
    topicId: z.string(),
    key: z.string().meta({ description: 'How conditions and columns name it, as `topic.<key>`' }),
    name: z.string(),
    names: z.record(z.string(), z.string()).meta({ description: 'Its name by language (BCP 47)' }),
    description: optionalText,
    defaultSubscription,
    visibility,
    order: z.int().meta({ description: 'Its place in lists: the lowest first, then the oldest' }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Topic', description: 'A kind of marketing mail that contacts can choose or leave' });

export const TopicQuery = z.object({
  figures: flag
    .optional()
    .meta({ description: 'Includes the figures of each topic. The more contacts have chosen topics, the longer it takes' }),
});

export const TopicWithFigures = Topic.extend({
  figures: z
    .object({ recipients: count.meta({ description: 'Contacts that a campaign with this topic to all contacts would reach now' }) })
    .optional()
    .meta({ description: 'Present only on request' }),
}).meta({ id: 'TopicWithFigures', description: 'A topic, with its figures if requested' });

export const CreateTopic = z.strictObject({
  key,
  name,
  names: names.optional(),
  description: description.optional(),
  defaultSubscription,
  visibility: visibility.default('public'),
  order: order.default(0),
});

export const UpdateTopic = z.strictObject({ name, names, description, visibility, order }).partial();

export const topicSource = z
  .enum(['api', 'import', 'one_click', 'link', 'mailto', 'preferences', 'form', 'opt_in'])
  .meta({ description: 'How the contact chose it' });

export const ContactTopic = z
  .object({
    topicId: z.string(),
    key: z.string().meta({ description: 'The key of the topic' }),
    name: z.string().meta({ description: 'The name of the topic' }),
    subscribed: z.boolean().meta({ description: 'Whether the contact gets its mail' }),
    explicit: z.boolean().meta({ description: 'Whether the contact chose so; otherwise the default of the topic applies' }),
    since: timestamp.nullable().meta({ description: 'When the contact chose so; null if it did not' }),
    source: topicSource.nullable().meta({ description: 'How the contact chose so; null if it did not' }),
  })
  .meta({ id: 'ContactTopic', description: 'A subscription of a contact to a topic' });

export const ContactTopics = z
  .object({ data: z.array(ContactTopic).readonly().meta({ description: 'Every topic of the project, in order' }) })
  .meta({ id: 'ContactTopics', description: 'The subscriptions of a contact to all topics of the project' });

export const ChangeContactTopics = z.strictObject({
  topics: boundedArray(
    z.strictObject({ topicId: id, subscribed: z.boolean().meta({ description: 'Whether the contact gets its mail from now on' }) }),
    1,
    1_000,
  ).meta({ description: 'Topics to change; the others stay as they are' }),
});
