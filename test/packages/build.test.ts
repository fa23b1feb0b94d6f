import { execFile } from 'node:child_process';
import { readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { DnsServer } from '../support/servers/dns-server';
import { hostOf, publish } from '../support/calls/domains';
import type { WireDomain } from '../support/calls/domains';
import { Part, Platform, eventually } from '../support/platform/platform';
import { freePort } from '../support/run/servers';
import { scratchDir } from '../support/run/test-run';
import { TraceCollector } from '../support/servers/trace-collector';
import type { CollectedSpan } from '../support/servers/trace-collector';

const ROOT = path.resolve(__dirname, '../..');
const MEGABYTES = 2 ** 20;

/** Far from the sources and their packages, so that nothing is found which is not in it. */
const dir = scratchDir('build');
const codeOf = (entry: string): string => path.join(dir, entry.replace(/\.ts$/, '.js'));
const run = promisify(execFile);

/** Every file of the build, with its size and the time of its last change. */
function filesOfBuild(): string[] {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map(({ parentPath, name }) => {
    const file = path.join(parentPath, name);
    const { size, mtimeMs } = statSync(file);
    return `${path.relative(dir, file)} ${size} ${mtimeMs}`;
  });
}

let dns: DnsServer;
let collector: TraceCollector;
let platform: Platform;
let files: readonly string[];

beforeAll(async () => {
  await run(process.execPath, ['deploy/image/build.mjs', dir], { cwd: ROOT });
  files = filesOfBuild();
  dns = await DnsServer.start();
  collector = await TraceCollector.start();
  platform = await Platform.start({
    codeOf,
    env: {
      NODE_ENV: 'production',
      METRICS_PORT: '0',
      DNS_SERVERS: dns.address,
      DEV_VERIFIED_DOMAINS: '',
      DOMAIN_CHECK_INTERVAL_SECONDS: '1',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '100',
    },
  });
}, 240_000);
afterAll(async () => {
  await platform?.stop();
  await dns?.stop();
  await collector?.stop();
  rmSync(dir, { recursive: true, force: true });
});

const operatorsOf = (part: Part): string =>
  `http://127.0.0.1:${/"port":(\d+),"msg":"serving probes and metrics/.exec(part.output)?.[1] ?? ''}`;
const status = async (url: string): Promise<number> => (await fetch(url)).status;

async function verifiedDomain(domain: string): Promise<WireDomain> {
  const added = (await platform.post('/v1/domains', { domain })).body.data as WireDomain;
  publish(dns, added);
  await eventually('it is verified', async () => {
    const { status: stands, dnsRecords } = (await platform.get(`/v1/domains/${added.domainId}`)).body.data as WireDomain;
    return stands === 'verified' && dnsRecords.every((record) => record.status === 'verified');
  });
  return added;
}

test('api and worker of the build are live and ready', async () => {
  for (const part of [platform.api, platform.worker]) {
    await eventually('it is ready', async () => (await status(`${operatorsOf(part)}/readyz`)) === 200);
    expect(await status(`${operatorsOf(part)}/livez`)).toBe(200);
  }
  expect(await status(`${platform.url}/docs`)).toBe(200);
  expect(await status(`${platform.url}/docs/guides/quickstart`)).toBe(200);
});

test('mail goes out, by the workflows that are in the build, and a proxy is answered for which hosts it may get certificates', async () => {
  const domain = await verifiedDomain('shop.example.com');
  const id = await platform.send('ada@example.net', { from: 'hello@shop.example.com' });
  await platform.untilStatus(id, 'sent', 'delivered');
  const ask = (host: string): Promise<number> => status(`${operatorsOf(platform.api)}/certificate?domain=${host}`);
  expect(await ask(hostOf(domain, 'tracking'))).toBe(200);
  expect(await ask('track.else.example.com')).toBe(404);
});

test('one trace goes from the request over the pump to the reply of the mail server, and names no person', async () => {
  const to = 'grace@example.net';
  const id = await platform.send(to, { from: 'hello@shop.example.com', subject: 'A subject of its own' });
  await platform.untilStatus(id, 'sent', 'delivered');
  const spanOf = (fits: (span: CollectedSpan) => boolean, what: string): Promise<CollectedSpan> =>
    eventually(what, () => collector.spans.find(fits));
  const attempt = await spanOf(({ attributes }) => attributes['lettermill.email_id'] === id, 'the attempt');
  const ofTrace = ({ traceId }: CollectedSpan): boolean => traceId === attempt.traceId;
  const request = await spanOf((span) => ofTrace(span) && span.name === 'POST /v1/send', 'the request');
  const reply = await spanOf((span) => ofTrace(span) && span.name === 'smtp', 'the exchange');
  expect(request.attributes).toMatchObject({ 'http.route': '/v1/send', 'http.response.status_code': 200 });
  expect(attempt.parentSpanId).toBe(request.spanId);
  expect(attempt.attributes).toMatchObject({ 'lettermill.attempt': 1, 'lettermill.status': 'delivered' });
  expect(reply).toMatchObject({ parentSpanId: attempt.spanId, attributes: { 'smtp.accepted': true, 'smtp.reply_code': 250 } });
  await spanOf((span) => ofTrace(span) && span.attributes['db.system.name'] === 'mongodb', 'what was asked of MongoDB');
  await spanOf(({ name }) => name === 'RunActivity:pumpDelivery', 'the activity of the pump');
  for (const word of [to, 'grace', 'A subject of its own', platform.keys.secret]) expect(collector.text).not.toContain(word);
});

test('the build loads nothing of tracing when it is off', async () => {
  const program = `for (const file of ['platform/tracing', 'sending/deliver/host', 'platform/temporal/connect']) require('./src/' + file);
    require('./api/app'); require('./worker/create-workers');
    console.log(Object.keys(require.cache).filter((file) => /@opentelemetry.(sdk|exporter|instr|core)|interceptors-open/.test(file)).length)`;
  const { stdout } = await run(process.execPath, ['-e', program], { cwd: dir, env: { PATH: process.env['PATH'] } });
  expect(stdout).toBe('0\n');
});

test('inbound SMTP and the commands are in it', async () => {
  const port = await freePort();
  const smtp = new Part('src/processes/inbound-smtp/main.ts', { ...platform.env, INBOUND_SMTP_PORT: String(port) }, 'is listening', codeOf);
  await smtp.start();
  await smtp.stop();
  const { stdout } = await run(process.execPath, [codeOf('src/processes/admin/main.ts'), 'projects', 'list'], { env: platform.env });
  expect(stdout).toContain('Default');
});

test('the build is not written to while it runs, and is a third of what is installed for it', () => {
  expect(filesOfBuild()).toEqual(files);
  const bytes = files.reduce((sum, line) => sum + Number(line.split(' ').at(-2)), 0);
  expect(bytes / MEGABYTES).toBeLessThan(110);
});
