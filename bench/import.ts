import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import { getImport, startImport } from '../src/audience/lists';
import type { ContactImport } from '../src/audience/lists';
import { connectTemporal } from '../src/platform/temporal';
import { createProcesses } from '../src/platform/temporal';
import { contextOf, quietCore } from './support/mail';
import { Ground, Measured } from './support/processes';
import { median, printTable } from './support/table';

const ROWS = 50_000;
const ROUNDS = 2;
const BATCH = 1_000;

interface Run {
  readonly perSecond: number;
  /** MiB */
  readonly peak: number;
}

const rowOf = (round: string, n: number) => ({
  email: `user-${round}-${n}@example.com`,
  firstName: `First ${n}`,
  number: n,
  plan: `plan-${n % 5}`,
});

/** Writes the same rows as bare upserts by address, in batches of the importer's size. */
async function bare(round: string): Promise<number> {
  const collection = mongoose.connection.collection('bare_contacts');
  await collection.createIndex({ projectId: 1, email: 1 }, { unique: true });
  const began = performance.now();
  for (let from = 0; from < ROWS; from += BATCH) {
    const writes = Array.from({ length: BATCH }, (_, i) => {
      const { email, firstName, ...data } = rowOf(round, from + i);
      const update = { $set: { firstName, data, updatedAt: new Date() }, $setOnInsert: { createdAt: new Date() } };
      return { updateOne: { filter: { projectId: 'bare', email }, update, upsert: true } };
    });
    await collection.bulkWrite(writes, { ordered: false, writeConcern: { w: 'majority' } });
  }
  return (ROWS * 1000) / (performance.now() - began);
}

async function imported(ground: Ground, round: string): Promise<Run> {
  const client = connectTemporal({ TEMPORAL_ADDRESS: ground.env['TEMPORAL_ADDRESS'] ?? '', TEMPORAL_NAMESPACE: 'default' });
  const core = { ...quietCore(ground.env), processes: createProcesses(client) };
  const ctx = await contextOf(core, ground.keys.projectId);
  const lines = Array.from({ length: ROWS }, (_, n) => Object.values(rowOf(round, n)).join(','));
  const csv = `email,firstName,number,plan\n${lines.join('\n')}\n`;
  const worker = await Measured.start(
    'worker/main.ts',
    ['orchestration', 'pumps', 'bulk'],
    { ...ground.env, LOG_LEVEL: 'info' },
    'Worker is ready',
  );
  const began = performance.now();
  const upload = {
    file: Readable.from(Buffer.from(csv), { objectMode: false }),
    idempotency: null,
    present: (job: ContactImport) => job._id,
  };
  const { answer: _id } = await startImport(ctx, upload, { segmentId: null, enrols: false, columns: null });
  while ((await getImport(ctx, _id)).status !== 'completed') await sleep(20);
  const run = { perSecond: (ROWS * 1000) / (performance.now() - began), peak: worker.memory().peak };
  await worker.stop();
  await client.connection.close();
  return run;
}

/** Measures from the upload to the last contact, in a worker process with events, counts and progress, against bare upserts of the same rows. */
export async function run(): Promise<void> {
  const ground = await Ground.prepare();
  try {
    const rounds: { bare: number; imported: Run }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      rounds.push({ bare: await bare(String(round)), imported: await imported(ground, String(round)) });
    }
    const middle = (figure: (round: (typeof rounds)[number]) => number, digits = 0): string => median(rounds.map(figure)).toFixed(digits);
    const ratio = middle((round) => round.imported.perSecond / round.bare, 2);
    printTable(
      `import: ${ROWS} rows of new contacts, ${ROUNDS} rounds, medians`,
      ['what', 'rows/s', 'peak MiB', 'against bare'],
      [
        ['bare bulkWrite upserts', middle((round) => round.bare), '', '1.00'],
        ['import by a worker', middle((round) => round.imported.perSecond), middle((round) => round.imported.peak), ratio],
      ],
    );
  } finally {
    await ground.clear();
  }
}
