import type { Context } from '../src/context';
import { removeField } from '../src/contacts/field-removal';
import { estimateValues, listFieldValues } from '../src/contacts/field-values';
import { listFields } from '../src/contacts/fields';
import { listContacts } from '../src/contacts/list';
import { ContactModel } from '../src/contacts/model';
import { recountFields } from '../src/contacts/recount';
import { upsertContact } from '../src/contacts/upsert';
import { newId } from '../src/ids';
import { contextOf, quietCore } from './support/mail';
import { Ground } from './support/processes';
import { printTable } from './support/table';

const CONTACTS = 1_000_000;
const UPSERTS = 5_000;
const WRITERS = 50;
const INSERT_PAGE = 5_000;
const PLANS = ['free', 'pro', 'team'];

type Row = readonly [string, string];

const seconds = (from: number): number => (performance.now() - from) / 1_000;

async function timed(name: string, work: () => Promise<unknown>): Promise<Row> {
  const began = performance.now();
  await work();
  return [name, `${(seconds(began) * 1_000).toFixed(0)} ms`];
}

async function rate(name: string, upsert: (n: number) => Promise<unknown>): Promise<Row> {
  let next = 0;
  const began = performance.now();
  const writer = async (): Promise<void> => {
    for (let n = next++; n < UPSERTS; n = next++) await upsert(n);
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
  return [name, `${Math.round(UPSERTS / seconds(began))}/s`];
}

const dataOf = (n: number) => ({ plan: PLANS[n % 3], seats: n % 100, since: '2026-01-01', vip: n % 7 === 0 });

async function fill(projectId: string, total: number): Promise<void> {
  for (let start = 0; start < total; start += INSERT_PAGE) {
    const rows = Array.from({ length: Math.min(INSERT_PAGE, total - start) }, (_, index) => {
      const n = start + index;
      const at = new Date(Date.UTC(2026, 0, 1) + n * 10);
      return {
        _id: newId('ctc'),
        projectId,
        email: `filled-${n}@example.com`,
        firstName: `First${n}`,
        lastName: 'Last',
        subscribed: n % 10 !== 0,
        data: dataOf(n),
        locale: null,
        createdAt: at,
        updatedAt: at,
        optedOutAt: null,
      };
    });
    await ContactModel.collection.insertMany(rows as never, { ordered: false });
  }
}

const FIRST = { limit: 50, after: null };

async function measure(ctx: Context, total: number): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const address = (n: number): string => `upserted-${n}@example.com`;
  rows.push(await rate(`${UPSERTS} upserts, new, ${WRITERS} at once`, (n) => upsertContact(ctx, { email: address(n), data: dataOf(n) })));
  rows.push(await rate('the same, one field changes', (n) => upsertContact(ctx, { email: address(n), data: { seats: n } })));
  rows.push(await rate('the same, nothing changes', (n) => upsertContact(ctx, { email: address(n), data: { seats: n } })));
  await fill(ctx.projectId, total);
  rows.push(await timed(`recount of fields, ${total} contacts`, () => recountFields(ctx.projectId)));
  rows.push(await timed('fields', () => listFields(ctx)));
  rows.push(await timed('first page', () => listContacts(ctx, {}, FIRST)));
  rows.push(await timed('search, many match', () => listContacts(ctx, { search: 'last' }, FIRST)));
  rows.push(await timed('search, none matches', () => listContacts(ctx, { search: 'nobody-has-this' }, FIRST)));
  rows.push(await timed('values of a field', () => listFieldValues(ctx, { field: 'plan', limit: 50 })));
  rows.push(await timed('values of a field, estimated', () => estimateValues(ctx, { field: 'plan', limit: 50 })));
  rows.push(await timed('removal of a field that all have', () => removeField(ctx, 'vip')));
  return rows;
}

/** What contacts cost: writing one, and reading and changing a million. `BENCH_CONTACTS` of them when that is set. */
export async function run(): Promise<void> {
  const ground = await Ground.prepare();
  const total = Number(process.env['BENCH_CONTACTS'] ?? CONTACTS);
  const ctx = await contextOf(quietCore(ground.env), ground.keys.projectId);
  printTable(`Contacts, ${total} of them`, ['what', 'took'], await measure(ctx, total));
  await ground.clear();
}
