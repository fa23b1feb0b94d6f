import { z } from 'zod';
import type { ErrorCode } from '../../src/platform/core';
import { VERSION } from '../../src/platform/config';
import type { Endpoint } from '../http/endpoint';
import { STATUS } from '../http/errors';
import { faultDetail } from '../http/pieces';
import { Components, inOrder } from './components';
import type { Json } from './components';
import { operation } from './operation';
import { webhooksOf } from './webhooks';

const ErrorSchema = z
  .object({
    success: z.literal(false).meta({ description: 'Always false' }),
    error: z.string().meta({ description: 'Text for people; the wording may change' }),
    code: z.enum(Object.keys(STATUS) as [ErrorCode, ...ErrorCode[]]).meta({ description: 'For programs: what failed' }),
    details: z.array(faultDetail).optional().meta({ description: 'Every fault; only on validation_error and send_failed' }),
  })
  .meta({ id: 'Error', description: 'The body of every error response' });

const text = (description: string): Json => ({ description, schema: { type: 'string' } });
const integer = (description: string): Json => ({ description, schema: { type: 'integer' } });

const HEADERS = {
  'X-Request-Id': text('Include this id when you ask for support'),
  Link: text('Where an error is explained: `<…/docs/guides/errors#code>; rel="help"`'),
  'RateLimit-Limit': integer(
    'The size of the bucket: per project and one unit per message for sends, per key and one unit per request otherwise',
  ),
  'RateLimit-Remaining': integer('Whole units left in the bucket'),
  'RateLimit-Reset': integer('Whole seconds until the bucket is full'),
  'X-Lettermill-Warning': text(
    'Present if the request succeeded but probably has a mistake: ignored query parameters, placeholders of other services, conditions that no stored value can match',
  ),
  'Retry-After': integer('Whole seconds after which to try again'),
  'X-Idempotent-Replay': text('true on a replay, absent otherwise'),
};

const SECURITY_SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'A secret key (sk_…) or a test key (sk_test_…) of a scope in x-key-scopes; POST /v1/events also takes a public key (pk_…)',
  },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The same key, if you cannot send an Authorization header' },
};

/** Returns the OpenAPI 3.1 description of the endpoints, from the schemas that validate. */
export function openApiDocument(endpoints: readonly Endpoint[]): Json {
  const components = new Components();
  const paths: Record<string, Json> = {};
  for (const e of endpoints) (paths[e.path] ??= {})[e.method] = operation(components, e);
  const webhooks = webhooksOf(components);
  components.convert(z.object({ error: ErrorSchema }), 'output', 'Error');
  const used = new Set(endpoints.map(({ tag }) => tag));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lettermill API',
      version: VERSION,
      summary: 'An open e-mail platform: transactional mail, campaigns and automations',
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The origin of this document' }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: [...used].map((name) => ({ name, ...(TAGS[name] !== undefined && { description: TAGS[name] }) })),
    paths,
    webhooks,
    components: {
      schemas: inOrder(components.schemas),
      responses: components.responses,
      headers: HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

/** Introduction of the reference, before the first call. */
const INTRODUCTION = `Lettermill sends and receives e-mail: single messages, campaigns, and automations that react to what your users do.

## First call

\`\`\`sh
curl -s https://your-server/v1/send \\
  -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d '{"to":"ada@example.com","subject":"Hello","text":"Hello, Ada"}'
\`\`\`

A message with a 200 response is stored durably. It is sent, or you learn why not from \`GET /v1/emails/{id}\` or a webhook.

Without \`from\`, a message is sent from \`hello@\` at the first verified domain of the project. The examples of this document use \`hello.test\`, which is verified with \`npm start\`: replace it with your own domain.

## Keys

\`Authorization: Bearer <key>\`, or \`X-API-Key: <key>\`. A secret key (\`sk_…\`) has a scope: \`full\`, \`sending\` or \`read\`. \`x-key-scopes\` of each operation lists the scopes that allow it.
A test key (\`sk_test_…\`) does the same but sends nothing. A public key (\`pk_…\`) can only record events, and is safe to use in a browser.

## Answers and failures

A success is \`{"success": true, "data": …}\`. A failure is \`{"success": false, "error": "…", "code": "…"}\`, with \`details\` on \`validation_error\` and \`send_failed\`. Branch on \`code\`: the wording of \`error\` may change.
Every response has \`X-Request-Id\`. New members can be added to responses and payloads at any time; request bodies never accept unknown members.

## Trying again

After 429 and 503, wait for \`Retry-After\` seconds. You can repeat operations that accept an \`Idempotency-Key\` with the same key and body for 24 hours: the stored response is replayed, and nothing is done twice.

## Rates

Sends have a rate limit per project, one unit per message. All other operations have a rate limit per key, one unit per request. \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` say how much is left.

## Pages

Lists are sorted newest first. Pass \`nextCursor\` unchanged as \`cursor\` until it is null (or absent, in lists without pages).

## Webhooks

Register an endpoint with \`POST /v1/webhooks\`; the section _Webhooks_ of this document has the payload of every event. Each request is signed (\`X-Service-Signature\`, and the headers of Standard Webhooks), can arrive more than once, and is retried for about a day until your server answers 2xx.
`;

/** Descriptions of the groups of operations. */
const TAGS: Readonly<Record<string, string>> = {
  Send: 'Send messages now or later, one by one or a thousand at a time.',
  Events: 'What your users do in your product. Events start workflows, move contacts between segments and go to webhooks.',
  Contacts: 'The people you write to, with custom fields; import, export and erasure.',
  Emails: 'The log: every message with its status, its history and its rendered content.',
  Templates: 'Stored content with placeholders and versions.',
  Domains: 'The domains you send from, and the DNS records that prove they are yours.',
  Segments: 'Groups of contacts: dynamic by conditions, or static.',
  Campaigns: 'One message to many contacts: audience, A/B tests, throttle, counters.',
  Workflows: 'Called automations in the guides: graphs of messages, waits and conditions that contacts pass through.',
  Webhooks: 'Your URLs that are called for events, with a log of every delivery.',
  Files: 'An extension of this implementation: pictures for mail.',
  Forms: 'An extension of this implementation: sign-up forms with a page of their own, and double opt-in.',
  Approvals: 'An extension of this implementation: actions that a person must approve.',
  Members: 'An extension of this implementation: the people who work on the project, their roles, and invitations.',
  Suppressions: 'Addresses that get no mail, or no marketing mail.',
  Stats: 'Counts and rates over time.',
  Verify: 'Whether an address can receive mail, without sending to it.',
  Billing: 'Usage, caps, plan and reputation.',
  Inbound: 'Received mail.',
  Meta: 'Health, and this document.',
  Extensions: 'Operations that this implementation adds.',
};
