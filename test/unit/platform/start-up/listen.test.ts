import { once } from 'node:events';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { listenAt } from '../../../../src/platform/start-up';

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
