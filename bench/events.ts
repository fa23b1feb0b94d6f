import mongoose from 'mongoose';
import { contactIdFor } from '../src/audience/contacts';
import { listenTo } from '../src/records/events';
import { inTransaction } from '../src/platform/mongo';
import { getProject } from '../src/records/projects';
import { freePort } from '../test/support/run/servers';
import { load } from './support/load';
import type { Load } from './support/load';
import { Ground, Measured } from './support/processes';
import { median, printTable } from './support/table';

const ROUNDS = 3;
const SECONDS = 6;
const CONTACTS = 20_000;
const AUTOMATIONS = [0, 10, 100] as const;
/** The event that `load.ts` emits. */
const NAME = 'order.placed';

/** Creates the contacts of the events, since events of known contacts are measured. */
async function makeContacts(projectId: string): Promise<void> {
  const { idSalt } = await getProject(projectId);
  const at = new Date();
  const rows = Array.from({ length: CONTACTS }, (_, n) => {
    const email = `user-${n}@example.com`;
    const blank = { firstName: null, lastName: null, subscribed: true, data: null, locale: null, optedOutAt: null };
    return { _id: contactIdFor({ idSalt }, email), projectId, email, ...blank, createdAt: at, updatedAt: at };
  });
  await mongoose.connection.collection('contacts').insertMany(rows as never, { ordered: false });
}

/** Creates automations, of which the event starts one; with none, no listener exists. */
async function makeAutomations(projectId: string, total: number): Promise<void> {
  const rows = Array.from({ length: total }, (_, n) => ({
    _id: `aut_${n}`,
    projectId,
    name: `Automation ${n}`,
    status: 'active',
    trigger: n === 0 ? `event:${NAME}` : `event:other.${n}`,
    createdAt: new Date(),
  }));
  const automations = mongoose.connection.collection('automations');
  await automations.deleteMany({ projectId });
  if (rows.length > 0) await automations.insertMany(rows as never);
  await inTransaction((session) => listenTo(session, projectId, 'automation/bench', total > 0 ? [NAME] : []));
}

/** Measures `POST /v1/events` alternating with a bare Express with one insert, on the same servers; no worker takes the events. */
export async function run(): Promise<void> {
  const seconds = Number(process.env['BENCH_SECONDS'] ?? SECONDS);
  const [port, barePort] = await Promise.all([freePort(), freePort()]);
  const ground = await Ground.prepare({ NODE_ENV: 'development', PORT: String(port) });
  const api = await Measured.start('api/main.ts', [], ground.env, `http://127.0.0.1:${port}/v1/health`);
  const bare = await Measured.start('bench/bare-api.ts', [ground.env['MONGODB_URI'] ?? '', String(barePort)], {}, 'listening');
  const { projectId, secret } = ground.keys;
  const yardstick = (): Promise<Load> => load(`http://127.0.0.1:${barePort}/v1/send`, secret, 'event', seconds);
  const events = (): Promise<Load> => load(`http://127.0.0.1:${port}/v1/events`, secret, 'event', seconds);
  try {
    await makeContacts(projectId);
    await Promise.all([
      load(`http://127.0.0.1:${barePort}/v1/send`, secret, 'event', 2),
      load(`http://127.0.0.1:${port}/v1/events`, secret, 'event', 2),
    ]);
    const rows: (readonly (string | number)[])[] = [];
    for (const total of AUTOMATIONS) {
      await makeAutomations(projectId, total);
      const rounds: { readonly bare: Load; readonly own: Load }[] = [];
      for (let round = 0; round < ROUNDS; round++) rounds.push({ bare: await yardstick(), own: await events() });
      const of = (which: 'bare' | 'own', figure: keyof Load): number => median(rounds.map((each) => each[which][figure]));
      rows.push([
        `${total} automations`,
        of('bare', 'perSecond').toFixed(0),
        of('own', 'perSecond').toFixed(0),
        median(rounds.map(({ bare, own }) => own.perSecond / bare.perSecond)).toFixed(2),
        of('own', 'p50'),
        of('own', 'p99'),
      ]);
    }
    printTable(
      `events: 50 connections, ${ROUNDS} rounds of ${seconds} s, medians; the ratio is taken in each round`,
      ['with', 'bare Express + insert /s', 'POST /v1/events /s', 'against bare', 'p50 ms', 'p99 ms'],
      rows,
    );
  } finally {
    await Promise.all([api.stop(), bare.stop()]);
    await ground.clear();
  }
}
