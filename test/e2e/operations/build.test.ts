import { execFile } from 'node:child_process';
import { readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { DnsServer } from '../../support/dns-server';
import { hostOf, publish } from '../../support/domains';
import type { WireDomain } from '../../support/domains';
import { Part, Platform, eventually } from '../../support/platform';
import { freePort, scratchDir } from '../../support/servers';

const ROOT = path.resolve(__dirname, '../../..');
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
let platform: Platform;
let files: readonly string[];

beforeAll(async () => {
  await run(process.execPath, ['deploy/image/build.mjs', dir], { cwd: ROOT });
  files = filesOfBuild();
  dns = await DnsServer.start();
  platform = await Platform.start({
    codeOf,
    env: {
      NODE_ENV: 'production',
      METRICS_PORT: '0',
      DNS_SERVERS: dns.address,
      DEV_VERIFIED_DOMAINS: '',
      DOMAIN_CHECK_INTERVAL_SECONDS: '1',
    },
  });
}, 240_000);
afterAll(async () => {
  await platform?.stop();
  await dns?.stop();
  rmSync(dir, { recursive: true, force: true });
});

const operatorsOf = (part: Part): string => `http://127.0.0.1:${/"port":(\d+),"msg":"probes and metrics/.exec(part.output)?.[1] ?? ''}`;
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
});

test('mail goes out, by the workflows that are in the build, and a proxy is answered for which hosts it may get certificates', async () => {
  const domain = await verifiedDomain('shop.example.com');
  const id = await platform.send('ada@example.net', { from: 'hello@shop.example.com' });
  await platform.untilStatus(id, 'sent', 'delivered');
  const ask = (host: string): Promise<number> => status(`${operatorsOf(platform.api)}/certificate?domain=${host}`);
  expect(await ask(hostOf(domain, 'tracking'))).toBe(200);
  expect(await ask('track.else.example.com')).toBe(404);
});

test('inbound SMTP and the commands are in it', async () => {
  const port = await freePort();
  const smtp = new Part('src/smtp/main.ts', { ...platform.env, INBOUND_SMTP_PORT: String(port) }, 'is listening', codeOf);
  await smtp.start();
  await smtp.stop();
  const { stdout } = await run(process.execPath, [codeOf('src/admin/main.ts'), 'projects', 'list'], { env: platform.env });
  expect(stdout).toContain('Default');
});

test('nothing is written into it while it runs, and it is a third of what is installed for it', () => {
  expect(filesOfBuild()).toEqual(files);
  const bytes = files.reduce((sum, line) => sum + Number(line.split(' ').at(-2)), 0);
  expect(bytes / MEGABYTES).toBeLessThan(100);
});
