import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePorts } from '../src/ports';
import { guardUi } from '../src/temporal';

const OWN = 'localhost:8233';

const ui = http.createServer((req, res) => {
  if (req.url === '/broken') {
    res.write('half');
    res.destroy();
  } else {
    req.pipe(res.writeHead(201, { 'X-Ui': String(req.headers['x-asked']) }));
  }
});

let port: number;
beforeAll(async () => {
  await new Promise<void>((resolve) => ui.listen(0, '127.0.0.1', () => resolve()));
  [port = 0] = await freePorts(1);
  await guardUi(port, (ui.address() as AddressInfo).port, (host) => host === OWN);
});
afterAll(() => ui.close());

const ask = (host: string, path = '/'): Promise<string> =>
  new Promise((resolve) => {
    const call = http.request({ host: '127.0.0.1', port, path, method: 'POST', agent: false, headers: { host, 'x-asked': 'yes' } });
    call.on('error', () => resolve('broken'));
    call.on('response', (answer) => {
      let text = '';
      answer.on('data', (chunk: Buffer) => (text += chunk.toString())).on('error', () => resolve('broken'));
      answer.on('end', () => resolve(`${answer.statusCode} ${String(answer.headers['x-ui'])} ${text.trim()}`));
    });
    call.end('a question');
  });

test("Temporal's web UI is shown to its own host, and to no other", async () => {
  expect(await ask(OWN)).toBe('201 yes a question');
  expect(await ask('evil.test')).toBe('403 undefined This page is shown at localhost');
});

test('a web UI that breaks off, or is gone, ends nothing', async () => {
  expect(await ask(OWN, '/broken')).toBe('broken');
  expect(await ask(OWN)).toBe('201 yes a question');
  await new Promise((resolve) => {
    ui.close(resolve);
    ui.closeAllConnections();
  });
  expect(await ask(OWN)).toBe('broken');
});
