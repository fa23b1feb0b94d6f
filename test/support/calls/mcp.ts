import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { TestApp } from '../platform/app';

interface Result {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: { readonly data: never };
  readonly _meta?: object;
}

/** Calls of tools that tests make, by the SDK's own client. */
export function mcpCalls(app: () => TestApp) {
  const clients: Client[] = [];
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
  });

  /** The SDK's own client, signed in with a key. */
  async function connected(key = app().keys.secret, { path = '/mcp', headers = {} } = {}): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' });
    const requestInit = { headers: { Authorization: `Bearer ${key}`, ...headers } };
    await client.connect(new StreamableHTTPClientTransport(new URL(app().url + path), { requestInit }));
    clients.push(client);
    return client;
  }

  async function keyOf(scope: 'read' | 'sending'): Promise<string> {
    const { body } = await app().api().post('/v1/keys').send({ kind: 'secret', scope }).expect(201);
    return body.data.key;
  }

  const called = async (client: Client, name: string, args: object = {}): Promise<Result> =>
    (await client.callTool({ name, arguments: args as Record<string, unknown> })) as unknown as Result;

  /** Returns the answer of an operation, which has to be a success. */
  async function done<T>(client: Client, name: string, args: object = {}): Promise<T> {
    const { isError, content, structuredContent } = await called(client, name, args);
    expect([name, isError ?? false, isError ? content[0]?.text : null]).toEqual([name, false, null]);
    expect(JSON.parse(content[0]?.text ?? '')).toEqual(structuredContent);
    return structuredContent?.data as T;
  }

  /** The contract's body of a call that has to fail. */
  async function refused(client: Client, name: string, args: object = {}) {
    const { isError, content, structuredContent } = await called(client, name, args);
    expect([isError, structuredContent]).toEqual([true, undefined]);
    return JSON.parse(content[0]?.text ?? '') as { readonly code: string; readonly error: string; readonly details?: object[] };
  }
  return { connected, called, done, refused, keyOf };
}
