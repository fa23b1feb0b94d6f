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
    error: z.string().meta({ description: 'For people; its wording may change' }),
    code: z.enum(Object.keys(STATUS) as [ErrorCode, ...ErrorCode[]]).meta({ description: 'For programs: what failed' }),
    details: z.array(faultDetail).optional().meta({ description: 'Every fault; only on validation_error and send_failed' }),
  })
  .meta({ id: 'Error', description: 'What every failure answers' });

const text = (description: string): Json => ({ description, schema: { type: 'string' } });
const integer = (description: string): Json => ({ description, schema: { type: 'integer' } });

const HEADERS = {
  'X-Request-Id': text('Name this id when you ask for help'),
  Link: text('Where a failure is explained: `<…/docs/guides/errors#code>; rel="help"`'),
  'RateLimit-Limit': integer(
    'Units that the bucket holds: of the project and one a message for sends, of the key and one a request elsewhere',
  ),
  'RateLimit-Remaining': integer('Whole units left in it'),
  'RateLimit-Reset': integer('Whole seconds until it is full'),
  'X-Lettermill-Warning': text(
    'Only where the request was carried out and something in it is probably not as it was meant: query parameters that were ignored, placeholders of other services, conditions that no stored value can meet',
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
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The same key, where no Authorization header can be sent' },
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
    servers: [{ url: '/', description: 'Where this document came from' }],
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

/** What a reader of the reference needs before the first call. */
const INTRODUCTION = `Lettermill sends and receives e-mail: single messages, campaigns, and automations that react to what your users do.

## First call

\`\`\`sh
curl -s https://your-server/v1/send \\
  -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d '{"to":"ada@example.com","subject":"Hello","text":"Hello, Ada"}'
\`\`\`

A message whose answer is 200 is stored for good: it will be sent, or you will learn why not, from \`GET /v1/emails/{id}\` or a webhook.

Without \`from\` a message goes out from \`hello@\` the first verified domain of the project. The examples of this document send from \`hello.test\`, which is verified wherever \`npm start\` runs: put your own domain in its place.

## Keys

\`Authorization: Bearer <key>\`, or \`X-API-Key: <key>\`. A secret key (\`sk_…\`) does what its scope says: \`full\`, \`sending\` or \`read\`; \`x-key-scopes\` of each operation lists the scopes that open it.
A test key (\`sk_test_…\`) does the same and sends nothing. A public key (\`pk_…\`) may only record events, and may be shown in a browser.

## Answers and failures

A success is \`{"success": true, "data": …}\`. A failure is \`{"success": false, "error": "…", "code": "…"}\`, with \`details\` on \`validation_error\` and \`send_failed\`. Branch on \`code\`: the wording of \`error\` may change.
Every answer has \`X-Request-Id\`. New members may be added to answers and payloads at any time; bodies of requests never take unknown ones.

## Trying again

After 429 and 503 wait for \`Retry-After\` seconds. Operations that take an \`Idempotency-Key\` may be repeated with the same key and body for 24 hours: the stored answer is replayed, and nothing is done twice.

## Rates

Sends have a limit for each project, one unit a message; all other operations have one for each key, one unit a request. \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` say how much is left.

## Pages

Lists come newest first. Pass \`nextCursor\` back unchanged as \`cursor\` until it is null (or absent, in lists that come whole).

## Webhooks

Register an endpoint with \`POST /v1/webhooks\`; the section _Webhooks_ of this document has the payload of every event. Each request is signed (\`X-Service-Signature\`, and the headers of Standard Webhooks), may come more than once, and is repeated for about a day until it is answered with 2xx.
`;

/** What each group of operations is about. */
const TAGS: Readonly<Record<string, string>> = {
  Send: 'Send messages now or later, one by one or a thousand at a time.',
  Events: 'What your users do in your product. Events start workflows, move contacts between segments and go to webhooks.',
  Contacts: 'The people you write to, with fields of your own; import, export and erasure.',
  Emails: 'The log: every message with its state, what happened to it and its rendered content.',
  Templates: 'Stored content with placeholders, in versions.',
  Domains: 'The domains you send from, and the DNS records that prove they are yours.',
  Segments: 'Groups of contacts: by conditions that are kept current, or by hand.',
  Campaigns: 'One message to many: audience, A/B subjects, throttle, counters.',
  Workflows: 'Automations, as the guides call them: graphs of messages, waits and conditions that contacts pass through.',
  Webhooks: 'URLs of yours that are called when something happens, with a log of every delivery.',
  Suppressions: 'Addresses that get no mail, or no marketing mail.',
  Stats: 'Counts and rates over time.',
  Verify: 'Whether an address can receive mail, without writing to it.',
  Billing: 'Usage, caps, plan and reputation.',
  Inbound: 'Mail that came in.',
  Meta: 'Health, and this document.',
  Extensions: 'What this implementation adds.',
};
