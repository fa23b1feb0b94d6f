import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import express from 'express';
import request from 'supertest';
import { consoleFiles } from '../../../../api/console/files';
import { respondWithError } from '../../../../api/http/mount';
import { beginState } from '../../../../api/http/state';
import { aFolder } from '../../../support/run/folder';

const dir = aFolder();
const built = path.join(dir, 'dist');
const CODE = 'console.log(1);\n'.repeat(100);

const app = express();
app.use((_req, res, next) => {
  beginState(res, 'req_1', 'http://localhost', null);
  next();
});
app.use('/console', consoleFiles(built));
app.use(((error, _req, res, _next) => respondWithError(error, res)) satisfies express.ErrorRequestHandler);

test('a page says how to build the console until it is built', async () => {
  const { text } = await request(app).get('/console/').expect(503);
  expect(text).toContain('npm run console');
});

describe('once it is built', () => {
  beforeAll(() => {
    mkdirSync(path.join(built, 'assets'), { recursive: true });
    writeFileSync(path.join(built, 'index.html'), '<!doctype html><title>Console</title>');
    writeFileSync(path.join(built, 'assets/index-Ab_1-x.js'), CODE);
    writeFileSync(path.join(built, 'secret.txt'), 'a secret');
  });

  test('an asset is kept for ever, for its name says what is in it, and comes compressed', async () => {
    const { headers, body } = await request(app)
      .get('/console/assets/index-Ab_1-x.js')
      .set('Accept-Encoding', 'gzip')
      .buffer(true)
      .parse((res, done) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => done(null, Buffer.concat(chunks)));
      })
      .expect(200);
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': expect.stringMatching(/^(text|application)\/javascript/),
      'content-encoding': 'gzip',
      vary: 'Accept-Encoding',
    });
    // The client of the test may have opened it already.
    const text = (body as Buffer)[0] === 0x1f ? gunzipSync(body as Buffer) : (body as Buffer);
    expect(text.toString()).toBe(CODE);
  });

  test.each(['/console', '/console/', '/console/mail', '/console/mail/em_1', '/console/a/b.html'])(
    '%s is the page, asked for anew each time, under a policy that runs nothing but its own files',
    async (place) => {
      const { text, headers } = await request(app).get(place).expect(200);
      expect(text).toContain('<title>Console</title>');
      expect(headers['cache-control']).toBe('no-cache');
      const policy = headers['content-security-policy'] ?? '';
      expect(policy).toContain("default-src 'self'; script-src 'self'; style-src 'self'");
      expect(policy).not.toMatch(/unsafe|\*|http|blob/);
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cross-origin-opener-policy': 'same-origin' });
    },
  );

  test.each(['/console/assets/none-1.js', '/console/assets/', '/console/assets/..%2fsecret.txt', '/console/assets/%2e%2e/secret.txt'])(
    '%s is not there',
    async (place) => {
      const { status, text } = await request(app).get(place);
      expect([status, text.includes('a secret')]).toEqual([404, false]);
    },
  );

  test.each(['/console/', '/console/assets/index-Ab_1-x.js'])('%s is not sent again to a browser that has it', async (place) => {
    const { etag } = (await request(app).get(place).expect(200)).headers;
    const again = await request(app)
      .get(place)
      .set('If-None-Match', etag ?? '')
      .expect(304);
    expect([again.text, again.headers['etag']]).toEqual(['', etag]);
    await request(app).get(place).set('If-None-Match', 'W/"another"').expect(200);
  });

  test('nothing is written there', async () => {
    const { headers } = await request(app).post('/console/').expect(405);
    expect(headers['allow']).toBe('GET, HEAD');
  });

  test('a page that is built again is the new one, without a restart', async () => {
    const page = path.join(built, 'index.html');
    await request(app).get('/console/').expect(200);
    writeFileSync(page, '<!doctype html><title>Newer</title>');
    utimesSync(page, new Date(), new Date(Date.now() + 5_000));
    expect((await request(app).get('/console/').expect(200)).text).toContain('Newer');
  });
});
