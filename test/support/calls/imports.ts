import { importSlice, planImport } from '../../../src/audience/lists/import-run';
import type { ImportHost } from '../../../src/audience/lists/import-run';
import { testCore } from '../platform/app';
import type { TestApp } from '../platform/app';

export const IMPORT_HOST: ImportHost = { signal: new AbortController().signal, core: testCore(), beat: () => undefined };

/** An import job as the API shows it. */
export interface Job {
  readonly importId: string;
  readonly status: string;
  readonly totalRows: number | null;
  readonly processed: number;
  readonly created: number;
  readonly updated: number;
  readonly skipped: number;
  readonly failed: number;
  readonly errors: readonly { row: number; email: string | null; message: string }[];
  readonly error: string | null;
  readonly [member: string]: unknown;
}

/** Uploads a CSV body; fails unless it was accepted. */
export async function upload(app: TestApp, csv: string | Buffer, query = '', key?: string): Promise<Job> {
  const { body } = await app.api(key).post(`/v1/contacts/import${query}`).set('Content-Type', 'text/csv').send(csv).expect(202);
  return body.data as Job;
}

/** Does what the workflow would do, in this process. */
export async function carryOut(importId: string, projectId: string, host: ImportHost = IMPORT_HOST): Promise<void> {
  const input = { importId, projectId };
  for (let now = await planImport(input, host); now?.status === 'processing';) now = await importSlice(input, host);
}

/** Uploads a file, carries out its import and resolves to the finished job. */
export async function importCsv(app: TestApp, csv: string | Buffer, query = '', key?: string): Promise<Job> {
  const { importId } = await upload(app, csv, query, key);
  await carryOut(importId, app.keys.projectId);
  const { body } = await app.api(key).get(`/v1/contacts/import/${importId}`).expect(200);
  return body.data as Job;
}
