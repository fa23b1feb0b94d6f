import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { Core } from '../../src/platform/core';
import { AppError, invalid } from '../../src/platform/core';
import { parsedUrl } from '../../src/rules/parsed-url';
import { libraryOf } from '../guides/library';
import { reply } from '../http/answers';
import type { Dialect } from '../http/state';
import { foreignEndpoint, extensions } from '../http/endpoint';
import type { Endpoint } from '../http/endpoint';
import { STATUS, errorBody } from '../http/errors';
import { SEND_BODY_LIMIT } from '../send/schemas';
import { Catalog } from './catalog';
import type * as McpServer from './server';

const INVALID_REQUEST = -32_600;
const PARSE_ERROR = -32_700;

const codeOf = ({ details }: AppError): number => (details?.[0]?.code === 'invalid_json' ? PARSE_ERROR : INVALID_REQUEST);

/** Failures of the request itself are JSON-RPC errors; their data is the body that `/v1` would answer with. */
export const mcpDialect: Dialect = {
  prefix: '/mcp',
  answer: (failure) => ({
    // The protocol asks for 400 where a message is malformed.
    status: failure.code === 'validation_error' ? 400 : STATUS[failure.code],
    body: { jsonrpc: '2.0', id: null, error: { code: codeOf(failure), message: failure.message, data: errorBody(failure) } },
  }),
};

// A page of another site must not speak for its visitor (the protocol's transports, Security Warning).
function requireOwnOrigin({ headers: { origin } }: IncomingMessage, { config: { PUBLIC_URL } }: Pick<Core, 'config'>): void {
  if (origin === undefined || parsedUrl(origin)?.host === new URL(PUBLIC_URL).host) return;
  throw new AppError('forbidden', 'Pages of other sites may not call this server');
}

function groupsIn(catalog: Catalog, text: string | undefined): ReadonlySet<string> | null {
  if (text === undefined) return null;
  const names = text.split(',').map((name) => name.trim());
  const known = catalog.groups;
  if (names.some((name) => !known.has(name)))
    throw invalid('groups', 'invalid_enum_value', `Groups must be among ${[...known].join(', ')}`);
  return new Set(names);
}

const query = z.object({ groups: z.string().optional() });

/** Returns the MCP server: Streamable HTTP without sessions, whose tools are the operations. It is not in the OpenAPI document. */
export function mcpRoutes(operations: () => readonly Endpoint[]): readonly Endpoint[] {
  let catalog: Catalog | null = null;
  return extensions('Extensions', [
    foreignEndpoint('POST /mcp', {
      operationId: 'mcp',
      summary: 'Answer a message of the Model Context Protocol',
      access: 'any',
      request: { query, body: z.unknown() },
      response: z.unknown(),
      limits: { bodyBytes: SEND_BODY_LIMIT },
      handle: async ({ ctx, by, scope, core, query: { groups }, body, incoming }) => {
        if (!ctx || by === null) throw new Error('The MCP server needs a key');
        requireOwnOrigin(incoming, core);
        catalog ??= new Catalog(operations());
        const asking = { catalog, library: libraryOf(core), asker: { ctx, by, scope, incoming }, groups: groupsIn(catalog, groups) };
        // oxlint-disable-next-line typescript/no-require-imports -- the SDK takes 11 MB: a process that no agent asks does not load it
        const { answerTo } = require('./server') as typeof McpServer;
        const answer = await answerTo(asking, body);
        return answer ? reply(200, answer) : reply(202, undefined);
      },
    }),
  ]);
}
