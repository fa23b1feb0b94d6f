import { execFile } from 'node:child_process';
import { createServer, request } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { aProject } from '../../support/platform/app';
import { aFolder } from '../../support/run/folder';
import { forTheFile } from '../../support/run/for-the-file';

const COMMAND = path.resolve(__dirname, '../../../node_modules/.bin/conformance');
const run = promisify(execFile);

/** Scenarios of the suite that any server can pass. The others call tools, prompts and resources of a server that is made for the suite. */
const SCENARIOS = ['server-initialize', 'ping', 'tools-list', 'resources-list', 'server-sse-multiple-streams', 'dns-rebinding-protection'];

interface Signed {
  readonly url: string;
  readonly server: Server;
  target: { readonly url: string; readonly key: string };
}

/** The suite cannot sign in: a server that passes requests on, with the key. */
const signed = forTheFile<Signed>(
  async () => {
    const server = createServer((req, res) => {
      const headers = { ...req.headers, authorization: `Bearer ${passing.target.key}` };
      const onward = request(passing.target.url + String(req.url), { method: String(req.method), headers }, (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(res);
      });
      req.pipe(onward);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const passing: Signed = { server, url: `http://localhost:${(server.address() as AddressInfo).port}`, target: { url: '', key: '' } };
    return passing;
  },
  ({ server }) =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
);
const app = aProject(() => ({ config: { PUBLIC_URL: signed.url } }));
const folder = aFolder();

beforeAll(() => {
  signed.target = { url: app.url, key: app.keys.secret };
});

test.each(SCENARIOS)('the server passes %s of the conformance suite of the Model Context Protocol', async (scenario) => {
  const args = ['server', '--url', `${signed.url}/mcp`, '--scenario', scenario, '--output-dir', path.join(folder, scenario)];
  const { code, stdout } = await run(process.execPath, [COMMAND, ...args]).then(
    (done) => ({ code: 0, stdout: done.stdout }),
    (failed: { readonly code: number; readonly stdout: string }) => failed,
  );
  expect({ code, failed: code === 0 ? '' : stdout.slice(-2_000) }).toEqual({ code: 0, failed: '' });
});
