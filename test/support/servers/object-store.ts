import { createHash, createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export const STORE_KEYS = {
  FILES_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  FILES_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
} as const;

const sha256 = (data: Buffer | string): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Whether a request is signed as Amazon's documentation of Signature Version 4 says, its body included. */
function isSigned({ method = '', url = '', headers }: IncomingMessage, body: Buffer): boolean {
  const form = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([\w-]+)\/s3\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=(\w+)$/;
  const [, id, day = '', region = '', names = '', signature] = form.exec(headers.authorization ?? '') ?? [];
  const hash = String(headers['x-amz-content-sha256']);
  if (id !== STORE_KEYS.FILES_ACCESS_KEY_ID || hash !== sha256(body)) return false;
  const lines = names.split(';').map((name) => `${name}:${String(headers[name])}\n`);
  const canonical = [method, url, '', lines.join(''), names, hash].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const parts = [day, region, 's3', 'aws4_request'];
  const key = parts.reduce<Buffer | string>((made, part) => hmac(made, part), `AWS4${STORE_KEYS.FILES_SECRET_ACCESS_KEY}`);
  return hmac(key, text).toString('hex') === signature;
}

export interface ObjectStore {
  readonly url: string;
  /** The contents, by their paths. */
  readonly objects: Map<string, Buffer>;
  /** While set, it answers everything with this status. */
  failing: number | null;
  close(): Promise<void>;
}

/** Starts a store that speaks as much of S3 as files need, and refuses what is not signed. */
export async function startObjectStore(): Promise<ObjectStore> {
  const objects = new Map<string, Buffer>();
  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const body = await buffer(req);
    const path = req.url ?? '';
    const refuse = (status: number, code: string): void => void res.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);
    if (store.failing !== null) return refuse(store.failing, 'InternalError');
    if (!isSigned(req, body)) return refuse(403, 'SignatureDoesNotMatch');
    if (req.method === 'GET') {
      const found = objects.get(path);
      if (found) res.end(found);
      else refuse(404, 'NoSuchKey');
      return;
    }
    if (req.method === 'PUT') objects.set(path, body);
    else objects.delete(path);
    res.writeHead(req.method === 'PUT' ? 200 : 204).end();
  };
  const server = createServer((req, res) => void answer(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const store: ObjectStore = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    failing: null,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return store;
}
