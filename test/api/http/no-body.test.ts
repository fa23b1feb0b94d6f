import { sendBroken } from '../../support/calls/broken-requests';
import { raw } from '../../support/calls/raw';
import { aProject } from '../../support/platform/app';

const app = aProject();

type Paths = Readonly<Record<string, Readonly<Record<string, { readonly requestBody?: object }>>>>;

/** The operations of the document that take no body, with ids that are not there. */
async function operations(): Promise<readonly (readonly [method: string, path: string])[]> {
  const { body } = await app.api().get('/v1/openapi.json');
  return Object.entries(body.paths as Paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) =>
      requestBody ? [] : [[method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'unknown')] as const],
    ),
  );
}

const headers = () => ['Host', 'localhost', 'X-API-Key', app.keys.secret, 'Content-Type', 'application/json'];

test('a body with keys is refused where none is taken', async () => {
  const found = await operations();
  expect(found.length).toBeGreaterThan(60);
  for (const [method, path] of found) {
    const text = '{"dryRun":true}';
    const { status, body } = await raw(app.url, method, path, [...headers(), 'Content-Length', String(text.length)], text);
    expect([method, path, status, body.code]).toEqual([method, path, 422, 'validation_error']);
    const code = expect.objectContaining({ path: 'dryRun', code: 'unrecognized_keys' }) as unknown;
    expect([path, body.details]).toEqual([path, expect.arrayContaining([code])]);
  }
});

test('an empty object, and no body in whatever form, is as good as none', async () => {
  const key = `X-API-Key: ${app.keys.secret}`;
  const type = 'Content-Type: application/json';
  const forms: readonly (readonly [readonly string[], string])[] = [
    [[type, 'Content-Length: 2'], '{}'],
    [[type, 'Content-Length: 0'], ''],
    [['Transfer-Encoding: chunked'], '0\r\n\r\n'],
    [[type, 'Transfer-Encoding: chunked'], '2\r\n{}\r\n0\r\n\r\n'],
  ];
  for (const [method, path] of await operations()) {
    const ask = (given: readonly string[], body: string) =>
      sendBroken(app.url, `${method} ${path}`, { name: path, headers: [key, ...given], body: Buffer.from(body), then: 'wait' });
    const usual = await ask([], '');
    for (const [given, body] of forms) expect([method, path, given, await ask(given, body)]).toEqual([method, path, given, usual]);
  }
});
