import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { openDataDir } from '../../../../packages/local/src/data-dir';
import { runningMongod } from '../../../../packages/local/src/mongod';
import { eventually } from '../../../support/platform/platform';
import { freePort, processCode, testMongoUri } from '../../../support/run/servers';
import { PARTS, Start } from '../../../support/platform/start';
import { aFolder } from '../../../support/run/folder';

const root = aFolder();
const env = { PORT: '0', INBOUND_SMTP_PORT: '0', SUBMISSION_PORT: '0', TEMPORAL_UI_PORT: '0' };
let current: Start;

const start = (more: Readonly<Record<string, string>>): Start => (current = new Start({ ...env, ...more }));

afterEach(async () => {
  current.signal('SIGKILL');
  await current.ended();
});

test.each(['PORT', 'INBOUND_SMTP_PORT', 'TEMPORAL_UI_PORT'])(
  'a taken port is named together with the variable to set: %s',
  async (variable) => {
    const stranger = net.createServer().listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    const { port } = stranger.address() as net.AddressInfo;
    start({ DATA_DIR: path.join(root, variable), [variable]: String(port) });
    expect(await current.ended()).toEqual([1, null]);
    stranger.close();
    expect(current.output).toContain(`Port ${port} of 127.0.0.1 is taken by another program. Set ${variable} to a free one`);
    expect(current.output).not.toContain('Lettermill is ready');
  },
);

test('a port that one part took from another is named as well, and nothing is said to be ready', async () => {
  const port = await freePort();
  start({ DATA_DIR: path.join(root, 'twice'), PORT: String(port), INBOUND_SMTP_PORT: String(port) });
  expect(await current.ended()).toEqual([1, null]);
  expect(current.output).toMatch(
    new RegExp(`Port ${port} of 127\\.0\\.0\\.1 is taken by another program\\. Set (PORT|INBOUND_SMTP_PORT) to`),
  );
  expect(current.output).not.toContain('Lettermill is ready');
});

test.each([
  ['src/processes/inbound-smtp/main.ts', 'INBOUND_SMTP_PORT'],
  ['api/main.ts', 'PORT'],
])('%s on its own ends with the sentence that names %s', async (file, variable) => {
  const stranger = net.createServer().listen(0, '127.0.0.1');
  await once(stranger, 'listening');
  const { port } = stranger.address() as net.AddressInfo;
  current = new Start(
    {
      NODE_ENV: 'test',
      MONGODB_URI: testMongoUri(`port_${process.pid}`),
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      APP_SECRET: 'an application secret for tests only!',
      SMTP_URL: 'smtp://127.0.0.1:1',
      [variable]: String(port),
    },
    processCode(file),
  );
  expect(await current.ended()).toEqual([1, null]);
  stranger.close();
  expect(current.output).toContain(`Port ${port} of 127.0.0.1 is taken by another program. Set ${variable} to a free one`);
});

test('a given MongoDB is used and none is started', async () => {
  const metrics = await freePort();
  const given = { MONGODB_URI: testMongoUri(`start_${process.pid}`), SMTP_CONECTIONS: '5', METRICS_PORT: String(metrics) };
  await start({ DATA_DIR: path.join(root, 'given'), ...given }).ready();
  expect(current.output.match(/SMTP_CONECTIONS is not a setting; did you mean SMTP_CONNECTIONS\?/g)).toHaveLength(1);
  for (const [index, part] of ['api', 'worker', 'smtp'].entries()) {
    const scraped = await eventually(part, () => fetch(`http://127.0.0.1:${metrics + index}/metrics`));
    expect(await scraped.text()).toContain(`part="${part}"`);
  }
  expect(Object.keys(current.parts())).toEqual(PARTS.filter((name) => name !== 'mongod'));
  current.signal('SIGINT');
  expect(await current.ended()).toEqual([0, null]);
});

test.each(['SIGTERM', 'SIGHUP'] as const)('a start that is called off by %s ends cleanly', async (signal) => {
  const dir = openDataDir(path.join(root, `called-off-${signal}`));
  start({ DATA_DIR: dir.root });
  await eventually('mongod is being started', () => runningMongod(dir.mongo));
  current.signal(signal);
  expect(await current.ended()).toEqual([0, null]);
  expect(runningMongod(dir.mongo)).toBeNull();
});

test('a bad configuration stops the start with its name and the reason', async () => {
  start({ DATA_DIR: path.join(root, 'bad'), SMTP_CONNECTIONS: 'many', DNS_SERVERS: '127.0.0.1:53,name:xx' });
  expect(await current.ended()).toEqual([1, null]);
  expect(current.output).toMatch(/Bad configuration:[\s\S]*SMTP_CONNECTIONS/);
  expect(current.output).toMatch(/must be host\[:port\],...[\s\S]*DNS_SERVERS/);
});
