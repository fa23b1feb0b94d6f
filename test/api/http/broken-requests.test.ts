import { setTimeout as wait } from 'node:timers/promises';
import { brokenWaysOf, sendBroken } from '../../support/calls/broken-requests';
import type { BrokenRequest } from '../../support/calls/broken-requests';
import { aProject } from '../../support/platform/app';

const app = aProject();
const AT_ONCE = 8;

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
}

type Sent = BrokenRequest & { readonly line: string };

/** Sends all of them, some at a time, and asks the API again. Resolves to what was answered as a fault of ours. */
async function faultsOfOurs(requests: readonly Sent[]): Promise<readonly string[]> {
  const faults: string[] = [];
  const queue = requests.values();
  const sender = async (): Promise<void> => {
    for (const request of queue) {
      const headers = [`X-API-Key: ${app.keys.secret}`, ...request.headers];
      const status = await sendBroken(app.url, request.line, { ...request, headers });
      if ((status ?? 0) >= 500) faults.push(`${request.line}: ${request.name} -> ${status}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sender));
  // What a stream says of its end comes in a later turn.
  await wait(200);
  await app.api().get('/v1/contacts').expect(200);
  return faults;
}

/** One for each way in which bodies are read, and some that want none. */
const READ_OTHERWISE: ReadonlySet<string> = new Set([
  'POST /v1/send',
  'POST /v1/send/batch',
  'POST /v1/events',
  'POST /v1/templates',
  'PATCH /v1/templates/unknown',
  'POST /v1/contacts/import',
  'POST /v1/inbound',
  'POST /v1/domains/unknown/verify',
  'GET /v1/contacts',
  'DELETE /v1/contacts/unknown',
]);
const EVERYWHERE: ReadonlySet<string> = new Set(['half of it', 'a client that breaks the connection']);

test('no broken body ends the process, or is a fault of ours, at any operation', async () => {
  const { body: document } = await app.api().get('/v1/openapi.json');
  const paths = Object.entries(document.paths as Record<string, Record<string, Operation>>);
  const ways = brokenWaysOf(Buffer.from(JSON.stringify({ name: 'x'.repeat(400) })));
  const requests = paths.flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) => {
      const line = `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, 'unknown')}`;
      const types = Object.keys(requestBody?.content ?? { 'application/json': {} });
      return types.flatMap((type) =>
        ways.flatMap((way) => {
          if (!READ_OTHERWISE.has(line) && !EVERYWHERE.has(way.name)) return [];
          const given = type.startsWith('multipart/') ? `${type}; boundary=b` : type;
          return [{ ...way, line, headers: [`Content-Type: ${given}`, ...way.headers] }];
        }),
      );
    }),
  );
  expect(requests.length).toBeGreaterThan(400);
  expect(await faultsOfOurs(requests)).toEqual([]);
}, 600_000);

const part = (disposition: string, content: string, more = ''): string =>
  `--b\r\nContent-Disposition: ${disposition}\r\n${more}\r\n${content}\r\n`;
const FILE = part('form-data; name="file"; filename="a.csv"', 'email\r\nada@example.com');
const END = '--b--\r\n';

const FORMS: Readonly<Record<string, string>> = {
  'another field': part('form-data; name="x"', '1') + END,
  'a field without a name': part('form-data', '1') + END,
  'a file without a name': part('form-data; filename="a.csv"', '1', 'Content-Type: text/csv\r\n') + END,
  'a field beside the file': FILE + part('form-data; name="x"', '1') + END,
  'two files': FILE + FILE + END,
  'another file': part('form-data; name="other"; filename="a.csv"', '1') + END,
  'too many parts': part('form-data; name="x"', '1').repeat(20) + END,
  'no file': END,
  nothing: '',
  'no end': FILE,
  'no end of the first part': FILE.slice(0, -4),
  'no end of the head': FILE.slice(0, 30),
  'no part': 'nothing of a form',
  'another boundary': FILE.replaceAll('--b', '--c') + END.replaceAll('--b', '--c'),
  'a head that is none': `--b\r\n\0\0: \x01\r\n\r\n1\r\n${END}`,
  'a head without an end': `--b\r\nX: ${'x'.repeat(200_000)}`,
  'another kind of part': part('attachment; name="file"', '1') + END,
  'another encoding': part('form-data; name="file"; filename*=utf-9\'\'%ff', '1', 'Content-Type: text/csv; charset=no-such\r\n') + END,
};

test('no broken form ends the process at the import, whatever its query asks for', async () => {
  const { body } = await app.api().post('/v1/segments').send({ name: 'Readers', type: 'static' }).expect(201);
  const { segmentId } = body.data as { readonly segmentId: string };
  const others = ['', `?segmentId=seg_${'0'.repeat(26)}`, '?columns=email', '?segmentId=%'];
  const asked: readonly (readonly [string, readonly string[]])[] = [
    [`?segmentId=${segmentId}`, Object.keys(FORMS)],
    ...others.map((query) => [query, ['no end']] as const),
  ];
  const requests = asked.flatMap(([query, names]) =>
    names.flatMap((name) => {
      const body = Buffer.from(FORMS[name] ?? '');
      const whole = { line: `POST /v1/contacts/import${query}`, name, body };
      const headers = ['Content-Type: multipart/form-data; boundary=b', `Content-Length: ${body.length}`];
      const longer = [headers[0] as string, `Content-Length: ${body.length + 1_000}`];
      const ways: readonly Sent[] = [
        { ...whole, headers, then: 'wait' },
        { ...whole, headers: longer, then: 'end' },
        { ...whole, headers: longer, then: 'leave' },
        { ...whole, headers: longer, then: 'reset' },
      ];
      return ways;
    }),
  );
  expect(await faultsOfOurs(requests)).toEqual([]);
}, 600_000);

test.each(['CONNECT other.test:443', 'GET /v1/health'])('a client that resets its connection after %s ends nothing', async (line) => {
  const requests: readonly Sent[] = Array.from({ length: 10 }, (_, at) => ({
    line,
    name: 'a reset',
    body: Buffer.alloc(0),
    headers: ['Connection: Upgrade', 'Upgrade: websocket'],
    then: at % 2 === 0 ? ('reset' as const) : ('leave' as const),
  }));
  expect(await faultsOfOurs(requests)).toEqual([]);
});
