import { z } from 'zod';
import type { ErrorCode } from '../../src/platform/core';
import { VERSION } from '../../src/platform/config';
import type { Endpoint } from '../http/endpoint';
import { STATUS } from '../http/errors';
import { faultDetail } from '../http/pieces';
import { Components, inOrder } from './components';
import type { Json } from './components';
import { INTRODUCTION, TAGS } from './introduction';
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
