import type { ContactImportInput, ContactImportProgress } from '../../contracts/contacts';
import { newId } from '../../platform/core';
import type { Core } from '../../platform/core';
import { inSequence, containing } from '../../platform/mongo';
import { getProject } from '../../records/projects';
import { Superseded, applyBatch } from './import-batch';
import type { Batch, UsableRow } from './import-batch';
import { supersededRows } from './import-duplicates';
import type { RowSet } from './import-duplicates';
import { FileGone, deleteFile, loadSuperseded, rowsFrom, saveSuperseded } from './import-file';
import { ContactImportModel } from './import-model';
import type { ContactImport, ImportPosition, RowError } from './import-model';
import { readRow } from './import-row';
import { domainToUnicode } from 'node:url';
import type { Erased } from '../../records/emails';
import { domainOf, erasedAddress } from '../../platform/addresses';

const BATCH_ROWS = 1_000;
/** Rows with much in them come in smaller batches, so that a transaction stays small. */
const BATCH_BYTES = 2_097_152;
/** Then the workflow learns how far it is. */
const SLICE_MS = 5_000;
/** From here on the table of addresses can take tens of megabytes; one at a time then. */
const LARGE_FILE_BYTES = 16_777_216;

const FILE_GONE = 'The file no longer exists. Import it again';
const DEFECT = 'Something went wrong on our side; import the file again';

/** The context of the process that carries out an import. */
export interface ImportHost {
  /** Ends the slice after the batch that is under way. */
  readonly signal: AbortSignal;
  readonly core: Pick<Core, 'config'>;
  readonly beat: (this: void, position: ImportPosition) => void;
}

/** Progress of an import; null if it does not exist. */
type Progress = ContactImportProgress | null;

function progressOf(job: ContactImport | null): Progress {
  if (!job) return null;
  const { status, totalRows, created, updated, skipped, failed } = job;
  return { status, totalRows, processed: created + updated + skipped + failed, created, updated, skipped, failed };
}

const find = ({ importId, projectId }: ContactImportInput): Promise<ContactImport | null> =>
  ContactImportModel.findOne({ _id: importId, projectId }).lean<ContactImport>();

/**
 * Resolves to the result of the first reading of the file: the number of rows, and which of them a later row of the same address
 * supersedes. A row that is unusable supersedes none. Safe to retry, and to run twice at once: the result is the same.
 */
export async function planImport(input: ContactImportInput, { beat }: ImportHost): Promise<Progress> {
  const { importId: _id, projectId } = input;
  const now = new Date();
  const filter = { _id, projectId, status: 'queued' } as const;
  await ContactImportModel.updateOne(filter, { $set: { status: 'processing', startedAt: now, movedAt: now } });
  const job = await find(input);
  if (job?.status !== 'processing' || job.totalRows !== null) return progressAtEnd(job);
  const work = () => unlessGone(input, () => plan(job, beat));
  return job.bytes > LARGE_FILE_BYTES ? inSequence('contact-import plan', work) : work();
}

async function plan(job: ContactImport, beat: ImportHost['beat']): Promise<ContactImport | null> {
  let totalRows = 0;
  const superseded = await supersededRows(async (see) => {
    let row = 0;
    for await (const { rows } of rowsFrom(job, job.position)) {
      let offset = 0;
      for (const each of rows) {
        row++;
        offset = each.end;
        const { email, message } = readRow(job.columns, each);
        if (message === null && !see({ row, email })) return;
      }
      beat({ offset, row });
    }
    totalRows = row;
  });
  await saveSuperseded(job._id, superseded);
  const filter = { _id: job._id, projectId: job.projectId, status: 'processing', totalRows: null } as const;
  await ContactImportModel.updateOne(filter, { $set: { totalRows, movedAt: new Date() } });
  return find({ importId: job._id, projectId: job.projectId });
}

/** Continues an import, for some seconds or to its end. Safe to retry; of two concurrent calls the later one continues. */
export async function importSlice(input: ContactImportInput, host: ImportHost): Promise<Progress> {
  const runner = newId('run');
  const { importId: _id, projectId } = input;
  const filter = { _id, projectId, status: 'processing' } as const;
  const job = await ContactImportModel.findOneAndUpdate(filter, { $set: { runner } }, { returnDocument: 'after' }).lean<ContactImport>();
  if (!job) return progressAtEnd(await find(input));
  return unlessGone(input, () => slice(job, runner, host));
}

async function slice(job: ContactImport, runner: string, { signal, beat, core }: ImportHost): Promise<ContactImport | null> {
  const until = performance.now() + SLICE_MS;
  const [project, superseded] = await Promise.all([getProject(job.projectId), loadSuperseded(job._id)]);
  let now = job;
  try {
    for await (const batch of batchesOf(job, superseded)) {
      now = await applyBatch(core, { job, project, runner }, batch);
      beat(now.position);
      if (signal.aborted || performance.now() > until) break;
    }
    return now;
  } catch (error) {
    if (!(error instanceof Superseded)) throw error;
    return find({ importId: job._id, projectId: job.projectId });
  }
}

async function* batchesOf(job: ContactImport, superseded: RowSet): AsyncGenerator<Batch> {
  let from = job.position;
  let batch = emptyBatch();
  let to = from;
  for await (const { rows, last } of rowsFrom(job, job.position)) {
    for (const csvRow of rows) {
      const row = to.row + 1;
      const read = readRow(job.columns, csvRow);
      if (read.message !== null) batch.errors.push({ row, email: read.email, message: read.message });
      else if (superseded.has(row)) batch.skipped++;
      else batch.rows.push({ row, email: read.email, cells: read.cells });
      to = { offset: csvRow.end, row };
      if (row - from.row < BATCH_ROWS && csvRow.end - from.offset < BATCH_BYTES) continue;
      yield { ...batch, from, to, last: false };
      from = to;
      batch = emptyBatch();
    }
    if (last) yield { ...batch, from, to: { offset: job.bytes, row: to.row }, last };
  }
}

const emptyBatch = (): { rows: UsableRow[]; errors: RowError[]; skipped: number } => ({ rows: [], errors: [], skipped: 0 });

/** Ends an import that cannot continue; it keeps what was done so far. */
export async function failImport(input: ContactImportInput, error: string = DEFECT): Promise<Progress> {
  const { importId: _id, projectId } = input;
  const filter = { _id, projectId, status: { $in: ['queued', 'processing'] } } as const;
  await ContactImportModel.updateOne(filter, { $set: { status: 'failed', error, finishedAt: new Date() } });
  return progressAtEnd(await find(input));
}

async function unlessGone(input: ContactImportInput, work: () => Promise<ContactImport | null>): Promise<Progress> {
  try {
    return await progressAtEnd(await work());
  } catch (error) {
    if (error instanceof FileGone) return failImport(input, FILE_GONE);
    throw error;
  }
}

/** Resolves to the progress, and deletes the file of an import that has ended. */
async function progressAtEnd(job: ContactImport | null): Promise<Progress> {
  if (job?.status === 'completed' || job?.status === 'failed') await deleteFile(job._id);
  return progressOf(job);
}

/** Resolves to when the running import that has been idle longest last made progress; null if none runs. */
export async function slowestImportSince(maxTimeMS: number): Promise<Date | null> {
  const job = await ContactImportModel.collection.findOne<Pick<ContactImport, 'movedAt'>>(
    { status: 'processing', movedAt: { $gt: new Date(0) } },
    { projection: { movedAt: 1 }, sort: { movedAt: 1 }, maxTimeMS },
  );
  return job?.movedAt ?? null;
}

/** Returns an address as it is stored, and as people write it. */
const formsOf = (address: string): readonly string[] => {
  const domain = domainOf(address);
  return [address, address.slice(0, -domain.length) + domainToUnicode(domain)];
};

// A row may be refused because there is more in a cell than an address.
const naming = (address: string, row: 'row.' | 'errors.') => ({
  $or: formsOf(address).flatMap((form) => [{ [`${row}email`]: containing(form) }, { [`${row}message`]: containing(form) }]),
});

const names = ({ email, message }: RowError, address: string): boolean =>
  formsOf(address).some((form) => `${email ?? ''}\n${message}`.toLowerCase().includes(form));

/** Resolves to what the lists of refused rows say of an address. */
export async function refusedRowsOf(projectId: string, address: string): Promise<readonly object[]> {
  const jobs = await ContactImportModel.find({ projectId, ...naming(address, 'errors.') }, { errors: 1 }).lean<
    Pick<ContactImport, '_id' | 'errors'>[]
  >();
  return jobs.flatMap(({ _id: importId, errors }) =>
    errors.filter((error) => names(error, address)).map((error) => ({ importId, ...error })),
  );
}

/** Replaces what the lists of refused rows say of a person. Resolves to how many imports it was. */
export async function eraseFromImports({ projectId, contactId, address, upTo }: Erased): Promise<number> {
  const { modifiedCount } = await ContactImportModel.collection.updateMany(
    { projectId, ...naming(address, 'errors.'), createdAt: { $lte: upTo } },
    { $set: { 'errors.$[row].email': erasedAddress(contactId), 'errors.$[row].message': 'Erased' } },
    { arrayFilters: [naming(address, 'row.')] },
  );
  return modifiedCount;
}
