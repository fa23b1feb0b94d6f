import { createHash } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import { AppError } from '../../platform/core';
import type { Core } from '../../platform/core';
import { perCore } from '../../platform/core';

const LIMIT_MS = 10_000;
const RETRIES = 2;

/** Contents in a store that speaks S3. All of it throws `unavailable` while the store does not do what it is asked. */
export interface FileBucket {
  put(key: string, content: Buffer): Promise<void>;
  /** Resolves to null for what is not there. */
  get(key: string): Promise<Buffer | null>;
  /** Does nothing for what is not there. */
  remove(key: string): Promise<void>;
}

/** Returns the store of the settings; null where MongoDB has the contents. */
export const fileBucket = (core: Pick<Core, 'config'>): FileBucket | null => stores(core).bucket;

const stores = perCore(({ config }: Pick<Core, 'config'>) => ({ bucket: bucketOf(config) }));

function bucketOf({
  FILES_URL: bucket,
  FILES_ACCESS_KEY_ID: accessKeyId = '',
  FILES_SECRET_ACCESS_KEY: secretAccessKey = '',
}: Core['config']): FileBucket | null {
  if (!bucket) return null;
  const { name, prefix, region, endpoint } = bucket;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: RETRIES });
  const base = endpoint === null ? `https://${name}.s3.${region}.amazonaws.com` : `${endpoint}/${name}`;
  const ask = async (method: 'PUT' | 'GET' | 'DELETE', key: string, body?: Buffer): Promise<Response> => {
    const hash = createHash('sha256')
      .update(body ?? '')
      .digest('hex');
    try {
      return await client.fetch(`${base}/${prefix}${key}`, {
        method,
        headers: { 'X-Amz-Content-Sha256': hash, ...(body && { 'Content-Type': 'application/octet-stream' }) },
        ...(body && { body: new Uint8Array(body) }),
        signal: AbortSignal.timeout(LIMIT_MS),
        redirect: 'error',
      });
    } catch (cause) {
      throw unavailable(cause);
    }
  };
  return {
    put: async (key, content) => settled(await ask('PUT', key, content)),
    get: async (key) => {
      const response = await ask('GET', key);
      if (response.status === 404 && (await codeOf(response.clone())) === 'NoSuchKey') return null;
      if (!response.ok) throw await refused(response);
      return Buffer.from(await response.arrayBuffer());
    },
    remove: async (key) => settled(await ask('DELETE', key)),
  };
}

async function settled(response: Response): Promise<void> {
  if (!response.ok) throw await refused(response);
  await response.body?.cancel();
}

// The store's own word for what is wrong. The rest of its answer may have the key.
const codeOf = async (response: Response): Promise<string> => /<Code>(\w+)<\/Code>/.exec(await response.text())?.[1] ?? '';

const refused = async (response: Response): Promise<AppError> =>
  unavailable(new Error(`FILES_URL answered ${response.status} ${await codeOf(response)}`));

const unavailable = (cause: unknown): AppError =>
  new AppError('unavailable', 'The file store does not answer correctly; try again later', [], {
    cause,
    headers: { 'Retry-After': '10' },
  });
