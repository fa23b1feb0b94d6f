import { createHash } from 'node:crypto';
import type { Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { afterwards, withinLimit } from '../../platform/async';
import type { Context, PageRequest } from '../../platform/core';
import { contactImportId } from '../../contracts/contacts';
import type { ContactImportInput } from '../../contracts/contacts';
import type { StartIntent } from '../../contracts/processes';
import { AppError, invalid, newId } from '../../platform/core';
import { answerOnce, earlierAnswer } from '../../platform/idempotency';
import type { Answered, Keep, OnceRequest } from '../../platform/idempotency';
import { inTransaction, newestFirst, ownRow } from '../../platform/mongo';
import type { Page } from '../../platform/mongo';
import { wantNow } from '../../platform/outbox';
import { findStaticSegment } from '../segments';
import { listTopics } from '../topics';
import { readHeader } from './csv-cells';
import type { CsvHeader } from './csv-cells';
import { columnsNamed, columnsOf } from './import-columns';
import type { Column } from './import-columns';
import { FileWriter, deleteFile } from './import-file';
import { ContactImportModel } from './import-model';
import type { ContactImport } from './import-model';
import { TextDecoder } from 'node:util';

/** An upload takes as long as its sender does; the database does not. */
const STORED_MS = 10_000;

const soon = <T>(work: () => Promise<T>): Promise<T> => withinLimit(STORED_MS, work);

interface ImportOptions {
  /** A static segment that the imported contacts are added to. */
  readonly segmentId: string | null;
  /** Whether the events of the import may enroll contacts in automations. */
  readonly enrols: boolean;
  /** Meaning of each column, instead of the headers; null if those name it. */
  readonly columns: readonly string[] | null;
}

interface Received {
  readonly header: CsvHeader;
  readonly columns: readonly Column[];
  readonly bytes: number;
}

/** An upload, and for which key it is done. */
interface Upload<A> {
  readonly file: Readable;
  readonly idempotency: OnceRequest | null;
  readonly present: (job: ContactImport) => A;
}

/**
 * Stores a CSV file as it comes, and once it is whole the job with the intent of its workflow: a file that breaks off is never processed. A repeated key with the
 * same bytes of the file and the same options is answered as before, and what was uploaded is dropped; the boundary of a form does not matter. Throws 422 for a
 * file without rows of a form that can be imported, and for a segment that is not there or not static; `idempotency_key_reused`, `idempotency_in_progress`.
 */
export async function startImport<A>(
  ctx: Context,
  { file, idempotency, present }: Upload<A>,
  options: ImportOptions,
): Promise<Answered<A>> {
  const importId = newId('imp');
  const hash = createHash('sha256').update(JSON.stringify([options.segmentId, options.enrols, ...(options.columns ?? [])]));
  const request = (): OnceRequest | null => idempotency && { ...idempotency, fingerprint: hash.copy().digest('base64url') };
  const drop = () => afterwards(ctx.core, 'The pieces of a file that is not imported are left to their age', () => deleteFile(importId));
  let received: Received;
  try {
    received = await receive(ctx, importId, file, idempotency && hash, options);
  } catch (refusal) {
    await drop();
    // What was taken once may be refused by now: its segment is gone.
    const again = request();
    const answer = again && (await earlierAnswer<A>(ctx, again));
    if (!answer) throw refusal;
    return { answer, replay: true };
  }
  const done = await answerOnce(ctx, request(), present, (keep) => storeJob(ctx, jobOf(ctx, importId, received, options), keep)).catch(
    async (refusal: unknown) => {
      // After any other failure the job may be there, and needs its file.
      if (refusal instanceof AppError && refusal.code.startsWith('idempotency_')) await drop();
      throw refusal;
    },
  );
  if (done.replay) await drop();
  return done;
}

function jobOf(ctx: Context, _id: string, { header, columns, bytes }: Received, { segmentId, enrols }: ImportOptions): ContactImport {
  return {
    _id,
    projectId: ctx.projectId,
    status: 'queued',
    segmentId,
    enrols,
    testMode: ctx.testMode,
    delimiter: header.delimiter,
    headers: header.names.map((name) => name.trim()),
    columns,
    bytes,
    runner: null,
    position: { offset: header.end, row: 0 },
    totalRows: null,
    created: 0,
    updated: 0,
    skipped: 0,
    failed: 0,
    errors: [],
    error: null,
    createdAt: new Date(),
    startedAt: null,
    finishedAt: null,
  };
}

/** Stores a file, and returns the job that could be begun with it. Throws as `startImport`. What is never begun is left to its age. */
export async function stageImport(ctx: Context, file: Readable, options: ImportOptions): Promise<ContactImport> {
  const importId = newId('imp');
  return jobOf(ctx, importId, await receive(ctx, importId, file, null, options), options);
}

/** Begins a job whose file is stored. `keep` is called first in its transaction. */
export async function storeJob(ctx: Context, job: ContactImport, keep: Keep<ContactImport>): Promise<ContactImport> {
  await soon(() =>
    inTransaction(async (session) => {
      await keep(session, job);
      await ContactImportModel.collection.insertOne(job, { session });
      await wantNow(session, ctx.core, [intentOf(job)]);
    }),
  );
  return job;
}

const intentOf = ({ _id: importId, projectId, bytes }: Pick<ContactImport, '_id' | 'projectId' | 'bytes'>): StartIntent => ({
  kind: 'start',
  workflow: 'contactImport',
  workflowId: contactImportId(importId),
  input: { importId, projectId },
  summary: `Contacts from a CSV file of ${bytes} bytes`,
  attributes: { projectId },
  lasts: true,
});

const unfinished = { status: { $in: ['queued' as const, 'processing' as const] } };

/** Resolves to whether an import has ended, or is not known. */
export const isImportOver = async ({ importId, projectId }: ContactImportInput): Promise<boolean> =>
  (await ContactImportModel.exists({ _id: importId, projectId, ...unfinished })) === null;

/** Reads a file to its end, also one that is refused: a sender that is cut off would not see why. */
async function receive(
  { projectId }: Context,
  importId: string,
  file: Readable,
  hash: Hash | null,
  { segmentId, columns }: ImportOptions,
): Promise<Received> {
  const topics = new Set((await listTopics({ projectId })).map(({ key }) => key));
  const reception = new Reception(new FileWriter(importId), columns, topics);
  await reception.attempt(async () => {
    if (segmentId !== null) await findStaticSegment(projectId, segmentId);
  });
  for await (const chunk of arriving(file)) {
    hash?.update(chunk);
    await reception.attempt(() => reception.take(chunk));
  }
  await reception.attempt(() => reception.end());
  return reception.received();
}

const UTF_16: ReadonlyMap<number, string> = new Map([
  [0xfffe, 'utf-16le'],
  [0xfeff, 'utf-16be'],
]);

const MARK_BYTES = 2;

const NOTHING = Buffer.alloc(0);

/** Passes on the bytes of a file as UTF-8: a file that begins with a byte order mark of UTF-16 is converted, all others stay as they are. */
class Utf8Stream {
  private decoder: TextDecoder | null = null;
  /** The beginning, until it is long enough to show a mark; null from then on. */
  private beginning: Buffer | null = NOTHING;

  take(chunk: Buffer): Buffer {
    if (!this.beginning) return this.converted(chunk);
    const bytes = Buffer.concat([this.beginning, chunk]);
    this.beginning = bytes.length < MARK_BYTES ? bytes : null;
    if (this.beginning) return NOTHING;
    const form = UTF_16.get(bytes.readUInt16BE(0));
    if (form !== undefined) this.decoder = new TextDecoder(form);
    return this.converted(bytes);
  }

  end(): Buffer {
    return this.decoder ? Buffer.from(this.decoder.decode()) : (this.beginning ?? NOTHING);
  }

  private converted(bytes: Buffer): Buffer {
    return this.decoder ? Buffer.from(this.decoder.decode(bytes, { stream: true })) : bytes;
  }
}

class Reception {
  private readonly utf8 = new Utf8Stream();
  private readonly head: Buffer[] = [];
  private headBytes = 0;
  /** The header is looked for when there is twice as much as the last time: however small the pieces are, few searches find it. */
  private searchAgainAt = 0;
  private header: CsvHeader | null = null;
  private columns: readonly Column[] = [];
  private refusal: { readonly error: unknown } | null = null;

  constructor(
    private readonly writer: FileWriter,
    private readonly named: readonly string[] | null,
    private readonly topics: ReadonlySet<string>,
  ) {}

  /** Does nothing more once something has failed. */
  async attempt(work: () => Promise<void>): Promise<void> {
    if (this.refusal) return;
    try {
      await soon(work);
    } catch (error) {
      this.refusal = { error };
    }
  }

  take(chunk: Buffer): Promise<void> {
    return this.store(this.utf8.take(chunk));
  }

  private async store(chunk: Buffer): Promise<void> {
    if (!this.header) {
      this.head.push(chunk);
      this.headBytes += chunk.length;
      if (this.headBytes >= this.searchAgainAt) this.readColumns(false);
    }
    await this.writer.write(chunk);
  }

  async end(): Promise<void> {
    await this.store(this.utf8.end());
    if (!this.header) this.readColumns(true);
    await this.writer.end();
  }

  /** Throws what went wrong. */
  received(): Received {
    if (this.refusal) throw this.refusal.error;
    return { header: this.header as CsvHeader, columns: this.columns, bytes: this.writer.bytes };
  }

  private readColumns(whole: boolean): void {
    const bytes = Buffer.concat(this.head);
    this.head.length = 0;
    this.header = readHeader(bytes, whole);
    if (this.header) {
      const { names } = this.header;
      this.columns = this.named ? columnsNamed(this.named, names.length, this.topics) : columnsOf(names, this.topics);
    } else {
      this.head.push(bytes);
      this.searchAgainAt = 2 * this.headBytes;
    }
  }
}

// A failure of the upload is the sender's fault.
async function* arriving(file: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of file) yield chunk as Buffer;
  } catch (error) {
    throw error instanceof AppError ? error : invalid('', 'invalid_type', 'The upload ended early');
  }
}

/** Throws `not_found`. */
export const getImport = ({ projectId }: Context, _id: string): Promise<ContactImport> =>
  ownRow(ContactImportModel, 'Import', { _id, projectId });

export type ImportInList = Omit<ContactImport, 'errors' | 'headers' | 'columns'>;

/** Resolves to a page of the project's imports, newest first, without their columns and the rows that were refused. */
export const listImports = ({ projectId }: Context, request: PageRequest): Promise<Page<ImportInList>> =>
  newestFirst(ContactImportModel, { projectId }, request, { errors: 0, headers: 0, columns: 0 });
