import type { IncomingMessage } from 'node:http';
import { AppError, jsonText } from '../../src/platform/core';
import type { Rows } from '../../src/platform/core';
import { Reply } from '../http/answers';
import { grantFault } from '../http/auth';
import type { Endpoint } from '../http/endpoint';
import { payloadSchema, successBody } from '../http/envelope';
import { nextCursor } from '../http/input';
import { performed } from '../http/perform';
import type { Asked, Asker } from '../http/perform';
import { wholeAnswer } from '../http/whole';
import { neededBy } from './catalog';
import type { Catalog, Tool } from './catalog';
import { forPeople, refusedIn } from './offers';
import { IDEMPOTENCY_KEY, REASON } from './schemas';

type Given = Readonly<Record<string, unknown>>;

/** Rows of an answer where the agent names no limit. */
const ROWS = 50;

// Query parameters are strings; a repeated one is a list of them.
const asQuery = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(asQuery);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
};

const picked = (given: Given, names: readonly string[]): Given =>
  Object.fromEntries(names.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])));

/** Returns the arguments of a call in the form of `/v1`. */
function askedBy({ endpoint, arguments: { path, query } }: Tool, given: Given): Asked {
  const elsewhere = new Set([...path, ...query, ...(endpoint.idempotent ? [IDEMPOTENCY_KEY] : [])]);
  const body = Object.fromEntries(Object.entries(given).filter(([name]) => !elsewhere.has(name)));
  const asked = Object.fromEntries(Object.entries(picked(given, query)).map(([name, value]) => [name, asQuery(value)]));
  const rows = endpoint.form.list ? { limit: String(ROWS) } : {};
  return { params: picked(given, path), query: { ...rows, ...asked }, body };
}

/** Returns the request with the key of the call instead of its own header, which is the same for all calls of a client. */
function keyedBy(incoming: IncomingMessage, key: unknown): IncomingMessage {
  const { 'idempotency-key': _, ...headers } = incoming.headers;
  // A key that is no text is malformed, as an empty one is.
  const own = key === undefined ? {} : { 'idempotency-key': typeof key === 'string' ? key : '' };
  return Object.create(incoming, { headers: { value: { ...headers, ...own } } }) as IncomingMessage;
}

async function requireState(catalog: Catalog, { offer: { onlyIn } }: Tool, asker: Asker, { params = {} }: Asked): Promise<void> {
  const reader = onlyIn && catalog.tool(onlyIn.read);
  if (!reader) return;
  const { answer } = await performed(reader.endpoint, asker, { params });
  const { status } = answer as { readonly status?: unknown };
  if (status !== onlyIn.state) throw new AppError('forbidden', forPeople('Changing what is no draft'));
}

/** Returns the request of an approval of what a tool was called for. */
function proposed({ endpoint, arguments: { path } }: Tool, given: Given): Asked {
  const { [IDEMPOTENCY_KEY]: _key, [REASON]: reason, ...parameters } = given;
  return {
    body: {
      operation: endpoint.operationId,
      parameters: { ...picked(given, path), ...parameters },
      ...(reason !== undefined && { reason }),
    },
  };
}

/** Resolves to the body that `/v1` answers with. Throws what its operation throws, and `forbidden` for what agents may not do. */
export async function callTool(catalog: Catalog, tool: Tool, asker: Asker, given: Given): Promise<string> {
  const { endpoint } = tool;
  for (const needed of neededBy(catalog, tool)) {
    const fault = grantFault(asker.scope, needed);
    if (fault) throw fault;
  }
  const asked = askedBy(tool, given);
  const refused = refusedIn(tool.offer, asked);
  if (refused !== null) throw new AppError('forbidden', forPeople(refused));
  const caller = { ...asker, incoming: keyedBy(asker.incoming, given[IDEMPOTENCY_KEY]) };
  if (tool.offer.proposes?.(given) === true) return answered(catalog.approvals, caller, proposed(tool, given));
  await requireState(catalog, tool, caller, asked);
  return answered(endpoint, caller, asked);
}

async function answered(endpoint: Endpoint, asker: Asker, asked: Asked): Promise<string> {
  const { input, answer } = await performed(endpoint, asker, asked);
  const data: unknown = answer instanceof Reply ? answer.data : answer;
  const { ctx } = asker;
  const schema = payloadSchema(endpoint);
  if (endpoint.form.list !== 'whole') return jsonText(successBody(endpoint, schema, ctx, input, data));
  const { begun, rest } = await wholeAnswer(data as Rows<unknown>, {
    limit: input.page.limit,
    check: (row) => schema.parse(row),
    arrange: endpoint.form.arrange,
    cursorOf: (next) => nextCursor(endpoint, ctx, input, next),
    signal: new AbortController().signal,
  });
  const pieces = [...begun];
  for await (const piece of rest ?? []) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}
