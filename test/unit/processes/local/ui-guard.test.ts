import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePorts } from '../../../../src/processes/local/ports';
import { guardUi } from '../../../../src/processes/local/ui-guard';

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
  await guardUi(port, (ui.address() as AddressInfo).port, 'https://mail.example.net:8443');
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

test.each(['localhost', 'localhost:8233', '127.0.0.1:8233', '[::1]:8233', 'mail.example.net'])(
  "Temporal's web UI is shown at %s",
  async (host) => {
    expect(await ask(host)).toBe('201 yes a question');
  },
);

test.each(['evil.test', 'localhost.evil.test:8233', 'mail.example.net.evil.test', '10.0.0.1'])(
  "Temporal's web UI is not shown at %s",
  async (host) => {
    expect(await ask(host)).toBe('403 undefined This page is shown at localhost');
  },
);

test('a web UI that breaks off, or is gone, ends nothing', async () => {
  expect(await ask('localhost', '/broken')).toBe('broken');
  expect(await ask('localhost')).toBe('201 yes a question');
  await new Promise((resolve) => {
    ui.close(resolve);
    ui.closeAllConnections();
  });
  expect(await ask('localhost')).toBe('broken');
});
