import { createHash } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import { afterwards } from '../../platform/async';
import { AppError, perCore } from '../../platform/core';
import type { Core } from '../../platform/core';
import { FileBlobModel } from './model';
import type { FileBlob, StoredFile } from './model';

type Configured = Pick<Core, 'config'>;
type Logged = Pick<Core, 'config' | 'log'>;

const keyOf = ({ _id, projectId }: Pick<FileBlob, '_id' | 'projectId'>): string => `${projectId}/${_id}`;

/** Writes the content of an upload, and before it the row by which it is found again if this is killed. */
export async function storeBlob(core: Configured, blob: FileBlob, content: Buffer): Promise<void> {
  const bucket = fileBucket(core);
  await FileBlobModel.collection.insertOne({ ...blob, ...(bucket ? { outside: true } : { content }) });
  await bucket?.put(keyOf(blob), content);
}

/** Resolves to the content of a file, from where it was written; null if it was deleted meanwhile. */
export async function contentOf(core: Configured, { blobId: _id }: Pick<StoredFile, 'blobId'>): Promise<Buffer | null> {
  const blob = await FileBlobModel.collection.findOne<FileBlob>({ _id }, { promoteBuffers: true });
  return blob && (blob.content ?? required(core).get(keyOf(blob)));
}

function required(core: Configured): FileBucket {
  const bucket = fileBucket(core);
  if (bucket) return bucket;
  const cause = new Error('FILES_URL is not set, but files are stored there');
  throw new AppError('unavailable', 'The file store is unavailable', [], { cause });
}

/** Removes those of some blobs that no file has. What fails here is left to the retention sweep. */
export const discardBlobs = (core: Logged, ids: readonly string[]): Promise<void> =>
  afterwards(core, 'The content of a picture could not be removed yet', () => removeBlobs(core, ids));

async function removeBlobs(core: Configured, ids: readonly string[]): Promise<void> {
  const filter = { _id: { $in: [...ids] }, attached: false };
  await removeContents(core, filter);
  await FileBlobModel.collection.deleteMany(filter);
}

/** Removes contents that are outside of MongoDB, with or without a file. */
export const removeOutsideContents = (core: Configured, ids: readonly string[]): Promise<void> =>
  removeContents(core, { _id: { $in: [...ids] } });

async function removeContents(core: Configured, filter: object): Promise<void> {
  const outside = await FileBlobModel.find({ ...filter, outside: true }, { projectId: 1 }).lean<FileBlob[]>();
  for (const blob of outside) await required(core).remove(keyOf(blob));
}

/** Longer than an upload may take. */
const ORPHAN_MS = 3_600_000;
/** Each costs the store a request. */
const PAGE = 100;

/** Removes a page of what uploads that never ended left behind. Resolves to how many it was; a store that fails has to wait for the next sweep. */
export async function removeOrphanedBlobs(core: Logged, now: Date): Promise<number> {
  const filter = { attached: false, at: { $lt: new Date(now.getTime() - ORPHAN_MS) } };
  const orphaned = await FileBlobModel.collection.find(filter, { projection: { _id: 1 }, limit: PAGE }).toArray();
  const ids = orphaned.map(({ _id }) => _id);
  await discardBlobs(core, ids);
  return ids.length - (await FileBlobModel.countDocuments({ _id: { $in: ids } }));
}

const LIMIT_MS = 10_000;
const RETRIES = 2;

/** Contents in a store that speaks S3. All of it throws `unavailable` while the store does not do what it is asked. */
interface FileBucket {
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
