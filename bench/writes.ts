import mongoose from 'mongoose';
import { newId } from '../src/platform/core';
import { chain, node } from '../test/support/calls/automations';
import { BenchPlatform } from './support/platform';
import { printTable } from './support/table';

/** Changes of one project that are asked for at the same moment. */
const AT_ONCE = 100;
/** Number of active automations in addition to those that are changed, and of segments: with them a project is at its limit. */
const OTHERS = 900;
const ROUNDS = 3;
/** Concurrency of the setup. */
const MAKERS = 10;

const UNLIMITED = { API_RATE_PER_SECOND: '100000', API_RATE_BURST: '100000' };

const conditions = (value: string) => ({ logic: 'and', groups: [{ filters: [{ field: 'email', operator: 'contains', value }] }] });
const GRAPH = chain(node('end', 'exit', { reason: 'done' }));

/** Creates rows over the API; resolves to their ids. */
async function made(total: number, make: (n: number) => Promise<Record<string, unknown>>, idOf: string): Promise<readonly string[]> {
  const ids: string[] = [];
  let next = 0;
  const maker = async (): Promise<void> => {
    while (next < total) ids.push(String((await make(next++))[idOf]));
  };
  await Promise.all(Array.from({ length: MAKERS }, maker));
  return ids;
}

/** Stores copies of a domain: to make a key for each would take longer than all the rest. */
async function copiesOf(domainId: string): Promise<readonly string[]> {
  const domains = mongoose.connection.collection('domains');
  const row = await domains.findOne({ _id: domainId as never });
  const copies = Array.from({ length: AT_ONCE }, () => ({
    ...row,
    _id: newId('dom') as never,
    domain: `${newId('d').slice(2)}.example.com`,
  }));
  await domains.insertMany(copies);
  return copies.map(({ _id }) => String(_id));
}

/** Asks for all changes at once. Resolves to how many milliseconds each took; throws when one fails. */
const timed = (ids: readonly string[], call: (id: string) => Promise<unknown>): Promise<readonly number[]> =>
  Promise.all(
    ids.map(async (id) => {
      const began = performance.now();
      await call(id);
      return performance.now() - began;
    }),
  );

/** Measures how long a project's changes take that are asked for at once, among as many automations and segments as it may have. */
export async function run(): Promise<void> {
  const platform = await BenchPlatform.start(UNLIMITED);
  const call = platform.call.bind(platform);
  const change = (path: string, body: object) => (id: string) => call('PATCH', `${path}/${id}`, body);
  const removal = (path: string) => (id: string) => call('DELETE', `${path}/${id}`);
  const workflow = (n: number) => call('POST', '/v1/workflows', { name: `W${n}`, trigger: `event:thing.${n}`, graph: GRAPH });
  const segment = (n: number) => call('POST', '/v1/segments', { name: `S${n}`, conditions: conditions(String(n)) });
  const template = () => call('POST', '/v1/templates', { name: 'T', subject: 'S', body: '<p>B</p>', fromEmail: 'a@hello.test' });
  const activate = change('/v1/workflows', { status: 'active' });
  const took = new Map<string, number[]>();
  const note = async (what: string, times: Promise<readonly number[]>): Promise<void> =>
    void took.set(what, [...(took.get(what) ?? []), ...(await times)]);
  try {
    for (const id of await made(OTHERS, workflow, 'workflowId')) await activate(id);
    const workflows = await made(AT_ONCE, workflow, 'workflowId');
    const segments = (await made(OTHERS + AT_ONCE, segment, 'segmentId')).slice(0, AT_ONCE);
    const { domainId } = await call('POST', '/v1/domains', { domain: 'first.example.com' });
    for (let round = 1; round <= ROUNDS; round++) {
      await note('automations activated', timed(workflows, activate));
      await note('automations paused', timed(workflows, change('/v1/workflows', { status: 'paused' })));
      await note('segments edited', timed(segments, change('/v1/segments', { conditions: conditions(`round ${round}`) })));
      await note('templates removed', timed(await made(AT_ONCE, template, 'templateId'), removal('/v1/templates')));
      await note('domains removed', timed(await copiesOf(String(domainId)), removal('/v1/domains')));
    }
  } finally {
    await platform.stop();
  }
  const at = (times: readonly number[], part: number): string =>
    ([...times].sort((a, b) => a - b)[Math.ceil(times.length * part) - 1] ?? Number.NaN).toFixed(0);
  printTable(
    `${AT_ONCE} changes of one project at once, ${ROUNDS} rounds, among ${OTHERS} active automations and ${OTHERS} segments more; all succeed`,
    ['what', 'p50 ms', 'p99 ms', 'longest ms'],
    [...took].map(([what, times]) => [what, at(times, 0.5), at(times, 0.99), at(times, 1)]),
  );
}
