import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PathTable } from '../../../api/http/paths';
import { DOMAIN, TOMORROW, sampleId } from '../../../api/openapi/story-parts';
import type { Given } from '../../../api/openapi/story-parts';
import { CampaignTurnModel, turnIdOf } from '../../../src/marketing/campaigns/turn-model';
import { DomainModel } from '../../../src/sending/domains/model';
import { newDomain, requiredVerified } from '../../../src/sending/domains/row';
import { createProject } from '../../../src/records/projects/service';
import { recordHits } from '../../../src/sending/tracking/record';
import { startTestApp } from '../platform/app';
import type { Api, TestApp } from '../platform/app';
import { checkDomainsFor } from './domains';
import { DnsServer } from '../servers/dns-server';
import { PaymentProvider } from '../servers/payment-provider';
import { forTheFile } from '../run/for-the-file';
import { campaignCalls, hit } from './campaigns';
import { BEFORE } from './example-work';
import type { ExampleRun } from './example-work';

/** One request that came, and what it was answered, both with the ids of the examples. */
interface Exchange {
  readonly operationId: string;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly status: number;
  readonly answer: string;
}

export interface ExampleServer {
  readonly app: TestApp;
  readonly url: string;
  /** Begins the story again, in a project of its own. Resolves to its secret key. */
  begin(): Promise<string>;
  /** The calls since it began. */
  readonly exchanges: readonly Exchange[];
  close(): Promise<void>;
}

const ID = /\b([a-z]{2,4})_[0-9a-hjkmnp-tv-z]{26}\b/g;

/** Maps ids of this run to ids of the examples: the n-th of its kind to the n-th. */
class Names {
  private readonly samples = new Map<string, string>();
  private readonly actual = new Map<string, string>();
  private readonly counts = new Map<string, number>();

  meet(text: string): void {
    for (const [id, prefix = ''] of text.matchAll(ID)) {
      if (this.samples.has(id)) continue;
      const count = (this.counts.get(prefix) ?? 0) + 1;
      this.counts.set(prefix, count);
      this.samples.set(id, sampleId(prefix, count));
      this.actual.set(sampleId(prefix, count), id);
    }
  }

  /** Maps an id of this run to one of the examples, out of order. */
  bind(id: string, sample: string): void {
    this.samples.set(id, sample);
    this.actual.set(sample, id);
  }

  shown = (text: string): string => text.replaceAll(ID, (id) => this.samples.get(id) ?? id);
  meant = (text: string): string =>
    text.replaceAll(ID, (id) => this.actual.get(id) ?? id).replaceAll(TOMORROW, new Date(Date.now() + 86_400_000).toISOString());
}

interface Run extends ExampleRun {
  readonly names: Names;
  readonly exchanges: Exchange[];
}

/**
 * Starts an API on a real MongoDB that speaks the ids of the examples, so that a client that sends them unchanged gets the answers
 * unchanged.
 */
export async function startExampleServer(config: Readonly<Record<string, string>> = {}): Promise<ExampleServer> {
  const dns = await DnsServer.start();
  const payments = await PaymentProvider.start();
  const app = await startTestApp({
    config: { WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_ALLOW_INSECURE: 'true', DNS_SERVERS: dns.address, ...payments.env, ...config },
  });
  checkDomainsFor(app);
  const operations = await operationsOf(app);
  let run: Run | null = null;
  const server = createServer((req, res) => {
    void (async () => {
      if (run) await pass(app, operations, run, req, res);
    })().catch((error: unknown) => (res.headersSent ? res.destroy() : res.writeHead(500).end(String(error))));
  });
  // Longer than a loaded machine pauses between two calls: a client would reuse a connection that is just being closed.
  server.keepAliveTimeout = 65_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    app,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    begin: async () => (run = await prepared(app)).key,
    get exchanges() {
      return run?.exchanges ?? [];
    },
    close: async () => {
      await closed(server);
      await app.close();
      await dns.stop();
      await payments.stop();
    },
  };
}

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

async function operationsOf(app: TestApp): Promise<PathTable<string>> {
  const { body } = await app.api(null).get('/v1/openapi.json').expect(200);
  const table = new PathTable<string>();
  for (const [path, methods] of Object.entries(body.paths as Record<string, Record<string, { operationId: string }>>))
    for (const [method, { operationId }] of Object.entries(methods)) table.add(method.toUpperCase(), path, operationId);
  return table;
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

const HOP = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding', 'content-encoding', 'expect']);

async function pass(app: TestApp, operations: PathTable<string>, run: Run, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { method = 'GET', url = '/', headers } = req;
  const operationId = operations.find(new URL(url, app.url).pathname)?.methods.get(method) ?? `${method} ${url}`;
  const body = await bodyOf(req);
  await BEFORE[operationId]?.(app, run);
  const answer = await fetch(app.url + run.names.meant(url), {
    method,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP.has(name))) as Record<string, string>,
    ...(body !== '' && { body: run.names.meant(body) }),
  });
  const text = await answer.text();
  run.names.meet(text);
  const shown = run.names.shown(text);
  run.exchanges.push({ operationId, method, url, headers, body, status: answer.status, answer: shown });
  const kept = [...answer.headers].filter(([name]) => !HOP.has(name));
  res.writeHead(answer.status, Object.fromEntries(kept)).end(shown);
}

/** Creates what the examples require: a verified domain, a waiting message, a static segment and a sent campaign. */
async function prepared(app: TestApp): Promise<Run> {
  const { projectId, secret: key } = await createProject('Examples');
  await verified(app, projectId);
  const api = app.api(key);
  const names = new Names();
  const sendAt = new Date(Date.now() + 86_400_000).toISOString();
  const to = 'later@example.com';
  const { body: waiting } = await api
    .post('/v1/send')
    .send({ to, from: `hello@${DOMAIN}`, subject: 'Later', text: 'Later', sendAt, createContact: false });
  const { body: segment } = await api.post('/v1/segments').send({ name: 'By hand', type: 'static' }).expect(201);
  const campaignId = await sentCampaign(app, api, projectId);
  names.meet([projectId, waiting.data.results[0].id, segment.data.segmentId, campaignId].join(' '));
  return { projectId, key, names, exchanges: [] };
}

async function verified(app: TestApp, projectId: string): Promise<void> {
  await DomainModel.deleteMany({ domain: DOMAIN });
  const now = new Date();
  const row = await newDomain(app.core, projectId, DOMAIN, now);
  await DomainModel.create({ ...row, status: 'verified', records: requiredVerified(), verifiedAt: now, nextCheckAt: null });
}

async function sentCampaign(app: TestApp, api: Api, projectId: string): Promise<string> {
  const content = { name: 'October news', subject: 'What is new in October', body: '<p>News</p>', fromEmail: `news@${DOMAIN}` };
  await api.post('/v1/contacts').send({ email: 'reader@example.com' }).expect(201);
  const { body } = await api.post('/v1/campaigns').send(content).expect(201);
  const { campaignId } = body.data as { campaignId: string };
  await api.post(`/v1/campaigns/${campaignId}/send`).send({}).expect(200);
  const own: TestApp = { ...app, api: () => api, keys: { ...app.keys, projectId } };
  const calls = campaignCalls(() => own);
  await calls.freeze(campaignId);
  const sent = await calls.deliver(await calls.rows(campaignId), { fromEmail: `news@${DOMAIN}` });
  await recordHits(
    sent.map(({ _id }) => hit(_id, 'https://example.com/news')),
    false,
  );
  await calls.finish(campaignId);
  const at = new Date();
  await CampaignTurnModel.create([{ _id: turnIdOf(campaignId, at), projectId, number: 1, at, campaignId, skipReason: null }]);
  return campaignId;
}

/** Starts such a server for the tests of a file, with additional settings. */
export const anExampleServer = (config: () => Readonly<Record<string, string>> = () => ({})): ExampleServer =>
  forTheFile(
    () => startExampleServer(config()),
    (server) => server.close(),
  );

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean; readonly example?: unknown }[];
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { readonly example?: unknown }>> }>>;
}

/** An operation of the API. */
export interface Route extends Operation {
  readonly method: string;
  readonly path: string;
}

/** Reads the operations of the API out of its description. */
export async function routesOf({ app }: ExampleServer): Promise<ReadonlyMap<string, Route>> {
  const { body } = await app.api(null).get('/v1/openapi.json').expect(200);
  const found = Object.entries(body.paths as Record<string, Record<string, Operation>>).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Route] => [
      operation.operationId,
      { ...operation, method, path: template },
    ]),
  );
  return new Map(found);
}

const urlOf = (template: string, { path: params = {}, query = {} }: Given): string => {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])).toString();
  return search === '' ? filled : `${filled}?${search}`;
};

/** The media type of a body; the file of an import is text, a picture is not. */
const typeOf = (file: Given['file']): string => {
  if (file === undefined) return 'application/json';
  return file.startsWith('GIF') ? 'image/gif' : 'text/csv';
};

/** Asks what an example asks. */
export async function askAs(
  server: ExampleServer,
  route: Route,
  given: Given,
  key: string,
): Promise<{ readonly status: number; readonly type: string; readonly text: string }> {
  const body = given.file ?? (given.body === undefined ? undefined : JSON.stringify(given.body));
  const response = await fetch(server.url + urlOf(route.path, given), {
    method: route.method.toUpperCase(),
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': typeOf(given.file) }),
    },
    ...(body !== undefined && { body }),
  });
  return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() };
}
