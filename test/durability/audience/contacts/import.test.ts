import { readFileSync } from 'node:fs';
import type { Contact } from '../../../../src/audience/contacts/model';
import { contactIdFor } from '../../../../src/audience/contacts/service';
import { contactImportId, contactImportProgressQuery } from '../../../../src/contracts/contacts';
import { getProject } from '../../../../src/records/projects/service';
import { aPlatform, eventually } from '../../../support/platform/platform';
import type { Job } from '../../../support/calls/imports';
import { stored } from '../../../support/data/stored';

jest.setTimeout(400_000);

const ROWS = 10_000;
/** Every so many rows one is of another kind. */
const [OPTED_OUT_EVERY, TWICE_EVERY, BAD_EVERY] = [500, 400, 1_000];

const platform = aPlatform();

const jobOf = async (importId: string): Promise<Job> => (await platform.get(`/v1/contacts/import/${importId}`)).body.data as Job;

/** Straight from the database: asking the API forty times a second would slow the import down. */
const through = async (importId: string, rows: number): Promise<boolean> =>
  (await stored.imports.one({ _id: importId, 'position.row': { $gte: rows } })) !== null;

async function upload(csv: string): Promise<string> {
  const response = await fetch(`${platform.url}/v1/contacts/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${platform.keys.secret}`, 'content-type': 'text/csv' },
    body: csv,
  });
  const { data } = (await response.json()) as { data: Job };
  expect(response.status).toBe(202);
  return data.importId;
}

const is = (n: number, every: number, at: number): boolean => n % every === at;
const addressOf = (n: number): string => `user-${is(n, TWICE_EVERY, 7) ? n + 1 : n}@example.com`;

function bigFile(): string {
  const rows = Array.from({ length: ROWS }, (_, n) => {
    const email = is(n, BAD_EVERY, 13) ? `no address ${n}` : addressOf(n);
    return `${email},First ${n},"Last, ${n}",yes,${n},plan-${n % 5}`;
  });
  return `email,firstName,lastName,subscribed,number,plan\n${rows.join('\n')}\n`;
}

/** People who opted out and whom the file names as subscribed. */
async function optOutSome(): Promise<number> {
  const project = await getProject(platform.keys.projectId);
  const at = new Date();
  const rows = Array.from({ length: ROWS / OPTED_OUT_EVERY }, (_, n): Contact => {
    const email = addressOf(n * OPTED_OUT_EVERY);
    const fields = { firstName: null, lastName: null, subscribed: false, data: null, locale: null, timezone: null, optedOutAt: at };
    return { _id: contactIdFor(project, email), projectId: project._id, email, ...fields, createdAt: at, updatedAt: at };
  });
  await stored.contacts.collection.insertMany(rows);
  return rows.length;
}

/** The most memory that the process has had resident so far, in MiB. */
const peakMemory = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024;

test('10,000 rows through three deaths of the worker: each row counted once, no deleted contact brought back, memory flat', async () => {
  const optedOut = await optOutSome();
  const importId = await upload(bigFile());
  const peaks: number[] = [];
  for (const reached of [1, 2_000, 5_000]) {
    await eventually(`${reached} rows are through`, () => through(importId, reached));
    peaks.push(peakMemory(platform.worker.pid));
    await platform.worker.kill9();
    expect(await through(importId, ROWS)).toBe(false);
    await platform.worker.start();
  }
  await eventually('the import has ended', () => through(importId, ROWS));
  peaks.push(peakMemory(platform.worker.pid));

  const [twice, bad] = [ROWS / TWICE_EVERY, ROWS / BAD_EVERY];
  const created = ROWS - twice - bad - optedOut;
  expect(await jobOf(importId)).toMatchObject({
    totalRows: ROWS,
    processed: ROWS,
    created,
    updated: optedOut,
    skipped: twice,
    failed: bad,
    error: null,
  });
  expect(await stored.contacts.count()).toBe(created + optedOut);
  expect(await stored.contacts.count({ subscribed: false })).toBe(optedOut);
  expect(await stored.contacts.count({ subscribed: false, 'data.number': { $exists: true } })).toBe(optedOut);
  const emitted = await stored.events.collection
    .aggregate<{ _id: string; count: number }>([{ $group: { _id: '$name', count: { $sum: 1 } } }, { $sort: { _id: 1 } }])
    .toArray();
  expect(emitted).toEqual([
    { _id: 'contact.created', count: created },
    { _id: 'contact.updated', count: optedOut },
  ]);
  const { body } = await platform.get('/v1/contacts/fields');
  expect(body.data.data).toEqual([
    { field: 'number', type: 'number', count: created + optedOut },
    { field: 'plan', type: 'string', count: created + optedOut },
  ]);
  expect(Math.max(...peaks)).toBeLessThan(512);
  await eventually('the file is deleted', async () => (await stored.importPieces.count()) === 0);

  const client = await platform.temporalClient();
  try {
    const workflow = client.workflow.getHandle(contactImportId(importId));
    await workflow.result();
    expect(await workflow.query(contactImportProgressQuery)).toMatchObject({
      status: 'completed',
      processed: ROWS,
      totalRows: ROWS,
      created,
    });
  } finally {
    await client.connection.close();
  }
});
