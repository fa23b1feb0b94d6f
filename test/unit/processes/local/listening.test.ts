import { spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { Part } from '../../../../src/processes/local/part';
import { listenAt } from '../../../../src/platform/start-up/listen';

const silent = pino({ level: 'silent' });
const IDLE = 'setInterval(() => undefined, 1000);';

function partOf(code: string): Part {
  const start = () => spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  return new Part({ name: 'test', spawn: start, saysListening: true, patienceMs: 5_000 }, silent);
}

test('a part that says when it listens is not ready before', async () => {
  const begun = Date.now();
  const part = partOf(`setTimeout(() => process.send({ listening: 1 }), 500); ${IDLE}`);
  await part.start();
  expect(Date.now() - begun).toBeGreaterThanOrEqual(490);
  await part.stop();
});

test('a part that says why it cannot start ends the start with that sentence, at once', async () => {
  const part = partOf(`process.send({ cannotStart: 'Port 25 is taken.' }, () => process.exit(1));`);
  await expect(part.start()).rejects.toThrow(/^Port 25 is taken\.$/);
  await part.stop();
});

test('a port that is taken, or may not be had, is named together with its setting', async () => {
  const stranger = net.createServer().listen(0, '127.0.0.1');
  await once(stranger, 'listening');
  const { port } = stranger.address() as AddressInfo;
  const place = { variable: 'SOME_PORT', host: '127.0.0.1' };
  const taken = `Port ${port} of 127.0.0.1 is taken by another program. Set SOME_PORT to a free one, or to 0 for any.`;
  await expect(listenAt(net.createServer(), { ...place, port })).rejects.toThrow(taken);
  await expect(listenAt(net.createServer(), { ...place, port: 1, host: '192.0.2.1' })).rejects.toThrow(
    'Cannot listen on port 1 of 192.0.2.1 (EADDRNOTAVAIL). Set SOME_PORT to another one.',
  );
  stranger.close();
  await once(stranger, 'close');
  const server = net.createServer();
  expect(await listenAt(server, { ...place, port })).toBe(port);
  server.close();
});
