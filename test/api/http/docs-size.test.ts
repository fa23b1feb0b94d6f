import http from 'node:http';
import { gunzipSync } from 'node:zlib';
import { aProject } from '../../support/platform/app';

const app = aProject();

interface Loaded {
  readonly encoding: string | undefined;
  readonly vary: string | undefined;
  /** As they came over the wire. */
  readonly bytes: Buffer;
}

const load = (path: string, headers: Readonly<Record<string, string>>): Promise<Loaded> =>
  new Promise((resolve, reject) => {
    http
      .get(app.url + path, { headers }, (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('end', () => resolve({ encoding: res.headers['content-encoding'], vary: res.headers.vary, bytes: Buffer.concat(chunks) }));
      })
      .on('error', reject);
  });

/** What the page is made of, as it names it, with the document that its script asks for. */
async function partsOfPage(): Promise<readonly string[]> {
  const { text } = await app.api(null).get('/docs').expect(200);
  const named = [...text.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, url = '']) => url);
  return ['/docs', ...named.filter((url) => !url.startsWith('/docs/guides')), '/v1/openapi.json'];
}

/** What a line of 1 MB/s carries in less than a second. */
const MOST_BYTES = 900_000;

test('the reference page is small on the wire: what is large in it is sent compressed', async () => {
  let sum = 0;
  const parts = await partsOfPage();
  expect(parts.length).toBeGreaterThan(4);
  for (const part of parts) {
    const [packed, plain] = [await load(part, { 'Accept-Encoding': 'gzip, deflate, br' }), await load(part, {})];
    expect([part, plain.encoding]).toEqual([part, undefined]);
    const isPacked = packed.encoding === 'gzip' && packed.vary === 'Accept-Encoding';
    const isSame = (isPacked ? gunzipSync(packed.bytes) : packed.bytes).equals(plain.bytes);
    const isSmall = plain.bytes.length <= 5_000 || packed.bytes.length < plain.bytes.length * 0.4;
    expect({ part, isSame, isSmall }).toEqual({ part, isSame: true, isSmall: true });
    sum += packed.bytes.length;
  }
  expect(sum).toBeLessThan(MOST_BYTES);
});
