import type { ClientSession } from 'mongoose';
import { unlessLate } from './async';
import { batched } from './batch';
import { AppError } from './core';
import { perDatabase, model, rowSchema } from './mongo';
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { Context } from './core';

/** Separates keys by kind: a web page with a public key cannot take a key before a server uses it. */
const scopeOf = ({ keyKind, testMode }: Context): string => (keyKind === 'public' ? 'public' : testMode ? 'test' : 'live');

const [IV_BYTES, TAG_BYTES] = [12, 16];

/**
 * Names and decrypts the stored answer to a request. Answers name people, and nothing else in a row says whom, so an answer is encrypted
 * with the caller's own key, of which only a hash is stored. The database alone reveals no answer, and the same caller can read it again.
 */
export class AnswerKey {
  /** A hash of project, scope, endpoint and the caller's key. */
  readonly id: string;
  private readonly parts: string;

  constructor(ctx: Context, endpoint: string, key: string) {
    this.parts = [ctx.projectId, scopeOf(ctx), endpoint, key].join('\0');
    this.id = createHash('sha256').update(this.parts).digest('base64url');
  }

  /** Encrypts an answer with AES-256-GCM, bound to the row. */
  seal(answer: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.secret(), iv).setAAD(Buffer.from(this.id));
    const body = Buffer.concat([cipher.update(answer, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64');
  }

  /** Decrypts a sealed answer. */
  open(sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64');
    const iv = bytes.subarray(0, IV_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', this.secret(), iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(this.id));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  }

  private secret(): Buffer {
    return createHash('sha256').update(`answer\0${this.parts}`).digest();
  }
}

/** An answered request, written in the transaction of what it brought about: there is no moment at which a retry could do it twice. */
export interface IdempotencyRow {
  /** Hash of project, key kind, endpoint and the caller's key. */
  readonly _id: string;
  readonly fingerprint: string;
  /** JSON text of the answer's payload, as `AnswerKey` seals it. */
  readonly answer: string;
  readonly createdAt: Date;
}

const KEPT_SECONDS = 24 * 3600;

const idempotencySchema = rowSchema<IdempotencyRow>({
  _id: { type: String, required: true },
  fingerprint: { type: String, required: true },
  answer: { type: String, required: true },
  createdAt: { type: Date, required: true },
});
idempotencySchema.index({ createdAt: 1 }, { expireAfterSeconds: KEPT_SECONDS }); // a key is free again after 24 hours
export const IdempotencyModel = model<IdempotencyRow>('Idempotency', idempotencySchema, 'idempotency');

/** Identifies a request: the caller's key, and a hash of the canonical JSON of the body as received. */
export interface IdempotencyKey {
  readonly key: string;
  readonly fingerprint: string;
}

/** Time that a second request waits for the first one with the same key. */
const IN_PROGRESS_MS = 10_000;

interface Running {
  readonly fingerprint: string;
  readonly done: Promise<unknown>;
}

/** Requests under way, by their key. */
const runningNow = perDatabase(() => new Map<string, Running>());

/** Resolves to the stored answers of some requests, by id. */
export async function storedAnswers(ids: readonly string[], session?: ClientSession): Promise<ReadonlyMap<string, IdempotencyRow>> {
  if (ids.length === 0) return new Map();
  const rows = await IdempotencyModel.collection.find<IdempotencyRow>({ _id: { $in: [...ids] } }, session ? { session } : {}).toArray();
  return new Map(rows.map((row) => [row._id, row]));
}

const answersById = perDatabase(() => ({ of: batched((ids: readonly string[]) => storedAnswers(ids)) }));

/** Resolves to the stored answer of a request, as of no earlier than the call. Requests of one moment share a query. */
export const storedAnswer = (id: string): Promise<IdempotencyRow | undefined> => answersById().of(id);

/** Stores answers in the transaction of the work that they describe. */
export async function storeAnswers(session: ClientSession, rows: readonly IdempotencyRow[]): Promise<void> {
  if (rows.length > 0) await IdempotencyModel.collection.insertMany(rows, { session });
}

/** Returns a 409 for a key that came with another body before. */
export const keyReused = (): AppError => new AppError('idempotency_key_reused', 'This Idempotency-Key was used with another body');

/**
 * Lets requests of one key through one after another within this process; between processes the transaction decides: the later one
 * finds the answer of the earlier one. Throws `idempotency_key_reused`, and `idempotency_in_progress` after ten seconds.
 */
export async function oneAtATime<T>(id: string, fingerprint: string, work: () => Promise<T>): Promise<T> {
  const running = runningNow();
  const deadline = Date.now() + IN_PROGRESS_MS;
  for (let first = running.get(id); first; first = running.get(id)) {
    if (first.fingerprint !== fingerprint) throw new AppError('idempotency_key_reused', 'This Idempotency-Key is in use with another body');
    await unlessLate(Math.max(0, deadline - Date.now()), first.done, stillRunning);
  }
  const done = work();
  running.set(id, { fingerprint, done: done.catch(() => undefined) });
  try {
    return await done;
  } finally {
    running.delete(id);
  }
}

function stillRunning(): never {
  const options = { headers: { 'Retry-After': '1' } };
  throw new AppError('idempotency_in_progress', 'The first request with this Idempotency-Key is still running', [], options);
}

/** A request that is done once for its key. `operation` names the endpoint and what its path names. */
export interface OnceRequest extends IdempotencyKey {
  readonly operation: string;
}

/** Stores the answer for the key, in the transaction of what was done. Throws, so that nothing of it is done, when the key has an answer by then. */
export type Keep<T> = (session: ClientSession, done: T) => Promise<void>;

/** An answer, and whether it is the stored one of an earlier request. */
export interface Answered<A> {
  readonly answer: A;
  readonly replay: boolean;
}

/** Another process was faster with the same key. */
class AnsweredBefore extends Error {
  override readonly name = 'AnsweredBefore';
}

const keyOf = (ctx: Context, { operation, key }: OnceRequest): AnswerKey => new AnswerKey(ctx, operation, key);

/** Resolves to the stored answer to the same key and body, or null. */
export async function earlierAnswer<A>(ctx: Context, request: OnceRequest): Promise<A | null> {
  const key = keyOf(ctx, request);
  const row = (await storedAnswers([key.id])).get(key.id);
  return row?.fingerprint === request.fingerprint ? (JSON.parse(key.open(row.answer)) as A) : null;
}

/** Resolves to the same; throws `idempotency_key_reused` where the key came with another body. */
async function earlierOrRefused<A>(ctx: Context, request: OnceRequest): Promise<A | null> {
  const key = keyOf(ctx, request);
  const row = (await storedAnswers([key.id])).get(key.id);
  if (!row) return null;
  if (row.fingerprint !== request.fingerprint) throw keyReused();
  return JSON.parse(key.open(row.answer)) as A;
}

/**
 * Does what a request asks for, once for its key: `work` calls `keep` in the transaction that does it, and nothing else may refuse the repetition
 * to the answer of the first time. Without a key it is simply done. Throws what `work` throws, `idempotency_key_reused` and `idempotency_in_progress`.
 *
 * | killed            | found                     | happens                                    |
 * |-------------------|---------------------------|--------------------------------------------|
 * | before the commit | nothing                   | a retry does it                            |
 * | after it          | what was done, the answer | a retry is answered from the stored answer |
 */
export async function answerOnce<T, A>(
  ctx: Context,
  request: OnceRequest | null,
  present: (done: T) => A,
  work: (keep: Keep<T>) => Promise<T>,
): Promise<Answered<A>> {
  if (!request) return { answer: present(await work(() => Promise.resolve())), replay: false };
  const key = keyOf(ctx, request);
  const _id = key.id;
  const { fingerprint } = request;
  const keep: Keep<T> = async (session, done) => {
    if ((await storedAnswers([_id], session)).has(_id)) throw new AnsweredBefore();
    await storeAnswers(session, [{ _id, fingerprint, answer: key.seal(JSON.stringify(present(done))), createdAt: new Date() }]);
  };
  return oneAtATime(_id, fingerprint, async () => {
    const earlier = await earlierOrRefused<A>(ctx, request);
    if (earlier) return { answer: earlier, replay: true };
    try {
      return { answer: present(await work(keep)), replay: false };
    } catch (refusal) {
      const meanwhile = await earlierOrRefused<A>(ctx, request);
      if (!meanwhile) throw refusal;
      return { answer: meanwhile, replay: true };
    }
  });
}
