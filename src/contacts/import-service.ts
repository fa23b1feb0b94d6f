import type { Readable } from 'node:stream';
import { afterwards } from '../afterwards';
import type { Context } from '../context';
import { contactImportId } from '../contracts/contact-import';
import type { StartIntent } from '../contracts/processes';
import { AppError, invalid, notFound } from '../errors';
import { newId } from '../ids';
import { inTransaction } from '../mongo/transaction';
import { startNow, want } from '../outbox/service';
import { findStaticSegment } from '../segments/static';
import { withinLimit } from '../time-limit';
import { readHeader } from './csv-header';
import type { CsvHeader } from './csv-header';
import { columnsOf } from './import-columns';
import type { Column } from './import-columns';
import { FileWriter, deleteFile } from './import-file';
import { ContactImportModel } from './import-model';
import type { ContactImport } from './import-model';

export type { ContactImport } from './import-model';

/** An upload takes as long as its sender does; the database does not. */
const STORED_MS = 10_000;

const soon = <T>(work: () => Promise<T>): Promise<T> => withinLimit(STORED_MS, work);

interface ImportOptions {
  /** A static segment that the imported contacts are added to. */
  readonly segmentId: string | null;
  /** Whether the events of the import may enrol contacts in automations. */
  readonly enrols: boolean;
}

interface Received {
  readonly header: Pick<CsvHeader, 'delimiter' | 'end'>;
  readonly columns: readonly Column[];
  readonly bytes: number;
}

/**
 * Stores a CSV file as it comes, and once it is whole the job with its wish for a workflow: a file that breaks off is never processed. Throws 422 for a
 * file without rows of a form that can be imported, and for a segment that is not there or not static.
 */
export async function startImport(ctx: Context, file: Readable, { segmentId, enrols }: ImportOptions): Promise<ContactImport> {
  const importId = newId('imp');
  const received = await receiveOrDiscard(ctx, importId, file, async () => {
    if (segmentId !== null) await findStaticSegment(ctx.projectId, segmentId);
  });
  const job: ContactImport = {
    _id: importId,
    projectId: ctx.projectId,
    status: 'queued',
    segmentId,
    enrols,
    testMode: ctx.testMode,
    delimiter: received.header.delimiter,
    columns: received.columns,
    bytes: received.bytes,
    runner: null,
    position: { offset: received.header.end, row: 0 },
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
  const intents = [intentOf(job)];
  await soon(() =>
    inTransaction(async (session) => {
      await ContactImportModel.collection.insertOne(job as never, { session });
      await want(session, intents);
    }),
  );
  startNow(ctx.core, intents);
  return job;
}

const intentOf = ({ _id: importId, projectId, bytes }: ContactImport): StartIntent => ({
  kind: 'start',
  workflow: 'contactImport',
  workflowId: contactImportId(importId),
  input: { importId, projectId },
  summary: `Contacts from a CSV file of ${bytes} bytes`,
  attributes: { projectId },
});

async function receiveOrDiscard({ core }: Context, importId: string, file: Readable, check: () => Promise<void>): Promise<Received> {
  try {
    return await receive(importId, file, check);
  } catch (error) {
    await afterwards(core, 'The pieces of a refused file are left to their age', () => deleteFile(importId));
    throw error;
  }
}

/** Reads a file to its end, also one that is refused: a sender that is cut off would not see why. */
async function receive(importId: string, file: Readable, check: () => Promise<void>): Promise<Received> {
  const reception = new Reception(new FileWriter(importId));
  await reception.attempt(check);
  for await (const chunk of arriving(file)) await reception.attempt(() => reception.take(chunk));
  await reception.attempt(() => reception.end());
  return reception.received();
}

class Reception {
  private readonly head: Buffer[] = [];
  private headBytes = 0;
  /** The header is looked for when there is twice as much as the last time: however small the pieces are, few looks find it. */
  private lookAt = 0;
  private header: CsvHeader | null = null;
  private columns: readonly Column[] = [];
  private refusal: { readonly error: unknown } | null = null;

  constructor(private readonly writer: FileWriter) {}

  /** Does nothing more once something has failed. */
  async attempt(step: () => Promise<void>): Promise<void> {
    if (this.refusal) return;
    try {
      await soon(step);
    } catch (error) {
      this.refusal = { error };
    }
  }

  async take(chunk: Buffer): Promise<void> {
    if (!this.header) {
      this.head.push(chunk);
      this.headBytes += chunk.length;
      if (this.headBytes >= this.lookAt) this.judge(false);
    }
    await this.writer.write(chunk);
  }

  async end(): Promise<void> {
    if (!this.header) this.judge(true);
    await this.writer.end();
  }

  /** Throws what went wrong. */
  received(): Received {
    if (this.refusal) throw this.refusal.error;
    return { header: this.header as CsvHeader, columns: this.columns, bytes: this.writer.bytes };
  }

  private judge(whole: boolean): void {
    const bytes = Buffer.concat(this.head);
    this.head.length = 0;
    this.header = readHeader(bytes, whole);
    if (this.header) {
      this.columns = columnsOf(this.header.names);
    } else {
      this.head.push(bytes);
      this.lookAt = 2 * this.headBytes;
    }
  }
}

/** What goes wrong with the sender is the sender's fault. */
async function* arriving(file: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of file) yield chunk as Buffer;
  } catch (error) {
    throw error instanceof AppError ? error : invalid('', 'invalid_type', 'The upload broke off before its end');
  }
}

/** Throws `not_found`. */
export async function getImport(ctx: Context, importId: string): Promise<ContactImport> {
  const job = await ContactImportModel.findOne({ _id: importId, projectId: ctx.projectId }).lean<ContactImport>();
  if (!job) throw notFound('Import');
  return job;
}
