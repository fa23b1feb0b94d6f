import { z } from 'zod';
import { spanMilliseconds } from '../../src/rules/automation/delay';
import type { NodeOf, NodeType } from '../../src/rules/automation/graph';
import { ConditionTree } from '../http/conditions';
import {
  added,
  anyJson,
  because,
  bodyText,
  boundedArray,
  callerEventName,
  contactData,
  emailAddress,
  eventData,
  eventName,
  fault,
  id,
  instant,
  json,
  name,
  oneLine,
  personName,
  previewText,
  subject,
  timezone,
  variables,
  LINE_BREAKING,
} from '../http/pieces';
import { keyed, once as eachOnce } from '../http/keys-and-repeats';
import { design } from '../http/design';
import { sendOnce } from '../http/limits';
import { graphVariants } from '../http/variants';
import { pascal } from '../openapi/pascal';
import { parsedUrl } from '../../src/rules/parsed-url';
import { PATTERNS } from '../http/patterns';

const MAX_NODES = 200;
const MAX_CASES = 20;
const MAX_WAYS = 100;
/** More than any graph can have that is checked: an edge for each branch of each node. */
const MAX_EDGES = MAX_NODES * MAX_WAYS;
const MAX_WAIT_MS = spanMilliseconds({ amount: 365, unit: 'days' });

export const nodeId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'Not a node id');
const branch = oneLine(64, 1);

const unit = z.enum(['seconds', 'minutes', 'hours', 'days', 'weeks']);
const span = z.strictObject({ amount: z.number().positive(), unit }).refine((value) => spanMilliseconds(value) <= MAX_WAIT_MS, {
  path: ['amount'],
  ...because('too_big', 'At most 365 days'),
});

/** Kept as it was written: an instant that is stored comes back unchanged. */
const writtenInstant = z
  .string()
  .superRefine((text, ctx) => {
    if (!instant.safeParse(text).success) fault(ctx, 'invalid_string', 'Must be an instant with an offset, like 2026-11-23T09:00:00Z');
  })
  .meta({ format: 'date-time' });

const localTime = z.strictObject({
  time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Must be HH:MM'),
  timezone,
  weekdays: boundedArray(z.int().min(1).max(7), 1, 7).optional().meta({ description: '1 = Monday' }),
});

const topicId = added(id.optional(), 'the topic of the message, which is then `marketing`. Default: that of the template');

const once = added(sendOnce.optional(), 'a contact who has, or is about to get, a message of the key is skipped as `limit_reached`');

/** Returns the schema of a text that may be empty in a draft; activating requires it. */
const unfinished = <T extends z.ZodType<string>>(text: T) => z.union([text, z.literal('')]);

const stored = z.strictObject({ templateId: unfinished(id), variables: variables.optional(), topicId, sendOnce: once });

const inline = z.strictObject({
  subject,
  body: bodyText,
  bodyBlocks: added(design.optional(), "the visual editor's design, never sent"),
  fromEmail: unfinished(emailAddress),
  fromName: personName.optional(),
  previewText: previewText.optional(),
  replyTo: emailAddress.optional(),
  variants: graphVariants,
  type: z.enum(['transactional', 'marketing']).default('marketing'),
  variables: variables.optional(),
  topicId,
  sendOnce: once,
});

const updateContact = z.strictObject({
  firstName: personName.nullable().optional(),
  lastName: personName.nullable().optional(),
  locale: oneLine(200).nullable().optional(),
  timezone: added(oneLine(200).nullable().optional(), 'the time zone of the person (IANA)'),
  data: contactData.nullable().optional(),
  subscribed: z.boolean().optional(),
});

const PLACE = /^https?:\/\/([^\s/?#{}@\\]+)(?:[/?#]|$)/i;

/** Returns where a webhook node calls. Path and query may hold placeholders; the host is known when the graph is saved. */
const callUrl = oneLine(2_048, 1)
  .superRefine((text, ctx) => {
    const host = PLACE.exec(text)?.[1];
    if (host === undefined || !parsedUrl(`https://${host}/`)) {
      fault(ctx, 'invalid_string', 'Must be an http or https URL, without placeholders or credentials in its host');
    }
  })
  .meta({ pattern: PATTERNS.callUrl });

const NAME = /^[A-Za-z0-9-]{1,76}$/;

const MAX_ENTRIES = 50;

const MAX_VALUE = 998;

/** Headers that frame a request on its connection (RFC 9110, 7.6.1) belong to the HTTP client. */
const OURS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const OUR_PREFIXES = ['proxy-', 'x-lettermill-'];

function checkHeader(name: string, value: unknown, ctx: z.RefinementCtx): void {
  const lower = name.toLowerCase();
  if (!NAME.test(name)) fault(ctx, 'invalid_header', 'Not a header name', [name]);
  else if (OURS.has(lower) || OUR_PREFIXES.some((prefix) => lower.startsWith(prefix))) {
    fault(ctx, 'invalid_header', 'The platform sets this header', [name]);
  } else if (typeof value === 'string' && (value.length > MAX_VALUE || LINE_BREAKING.test(value))) {
    fault(ctx, 'invalid_header', `At most ${MAX_VALUE} characters, without CR, LF and NUL`, [name]);
  }
}

/** Headers of a webhook node's request; values may hold placeholders. */
const callHeaders = keyed(z.string(), {
  most: MAX_ENTRIES,
  what: 'headers',
  check: (names, ctx, values) => {
    for (const name of names) checkHeader(name, values[name], ctx);
  },
});

const webhook = z.strictObject({
  url: unfinished(callUrl),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).default('POST'),
  headers: callHeaders.optional(),
  body: anyJson.optional(),
});

const MAX_ITEMS = 100;

const digest = z.strictObject({
  window: span.meta({ description: 'How long it gathers, from the first event on' }),
  key: z
    .string()
    .regex(/^event(\.[A-Za-z0-9_-]{1,64}){1,5}$/, 'Must be a path in the data of the event, like event.thread')
    .optional()
    .meta({ description: 'A path in the data of the event, like `event.thread`: events with different values there are gathered apart' }),
  max: z.int().min(2).max(MAX_ITEMS).default(MAX_ITEMS).meta({ description: 'Continues as soon as it has gathered this number of events' }),
});

const switchCase = z.strictObject({ branch, operator: z.string().max(64), value: anyJson.optional() });

const switchConfig = z.strictObject({
  field: z.string().max(200),
  nodeId: added(nodeId.optional(), 'narrows the field email.<status> to the message that this `send_email` node sent'),
  cases: boundedArray(switchCase, 1, MAX_CASES),
});

/** Which events of the name end a wait. */
const waitFilter = json.optional().meta({
  description:
    'Values by paths of the event’s data. In the filter of an event email.<name>, `nodeId` is the `send_email` node whose message it is of',
});

const base = {
  id: nodeId,
  name: name.optional(),
  position: z.unknown().optional().meta({ description: 'Kept as given' }),
};

const node = <T extends string, C extends z.ZodType>(type: T, config: C) =>
  z
    .strictObject({ ...base, type: z.literal(type), config })
    .meta({ id: `${pascal(type)}Node`, description: `A node of the type \`${type}\`` });

/** Nodes as they are saved, by type; what a type does is in `src/rules/automation/nodes`. */
const NODES = {
  trigger: node('trigger', z.strictObject({ filter: ConditionTree.optional() })),
  send_email: node('send_email', z.union([inline, stored])),
  delay: node('delay', z.union([span, z.strictObject({ until: writtenInstant }), localTime])),
  digest: node('digest', digest),
  wait_for_event: node('wait_for_event', z.strictObject({ event: unfinished(eventName), filter: waitFilter, timeout: span.optional() })),
  condition: node('condition', z.strictObject({ conditions: ConditionTree })),
  switch: node('switch', switchConfig),
  split: node('split', z.strictObject({ branches: boundedArray(z.strictObject({ branch, weight: z.number().positive() }), 1, MAX_WAYS) })),
  update_contact: node('update_contact', updateContact),
  add_to_segment: node('add_to_segment', z.strictObject({ segmentId: unfinished(id) })),
  remove_from_segment: node('remove_from_segment', z.strictObject({ segmentId: unfinished(id) })),
  emit_event: node('emit_event', z.strictObject({ name: unfinished(callerEventName), data: eventData.optional() })),
  webhook: node('webhook', webhook),
  exit: node('exit', z.strictObject({ reason: oneLine(200).optional() })),
} satisfies { readonly [T in NodeType]: z.ZodType<NodeOf<T>> };

type NodeSchema = (typeof NODES)[NodeType];

const Node = z.discriminatedUnion('type', Object.values(NODES) as [NodeSchema, ...NodeSchema[]]).meta({ id: 'WorkflowNode' });

const Edge = z
  .strictObject({ id: oneLine(64, 1).optional(), from: nodeId, to: nodeId, branch: branch.optional() })
  .meta({ id: 'WorkflowEdge', description: '`branch` names the outcome of `from` that the edge takes' });

const uniqueIds = eachOnce('id', 'This id is already used; ids must be unique', 'invalid_graph');

/** A graph as it is saved: shapes, types and unique ids. Whether it can run is checked when it is activated. */
export const Graph = z.strictObject({
  nodes: boundedArray(Node, 0, MAX_NODES).superRefine(...uniqueIds),
  edges: boundedArray(Edge, 0, MAX_EDGES).superRefine(...uniqueIds),
});

/** A graph as it is shown. */
export const StoredGraph = z
  .object({
    nodes: z.array(z.looseObject({ id: z.string(), type: z.string(), config: json })).readonly(),
    edges: z.array(z.looseObject({ from: z.string(), to: z.string() })).readonly(),
  })
  .meta({ id: 'WorkflowGraph' });
