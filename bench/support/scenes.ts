import { once } from 'node:events';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import { edge, node } from '../../test/support/calls/automations';
import { insertPeople } from '../../test/support/data/people';
import { NEWSLETTER, readerOf } from './mail';
import type { BenchPlatform } from './platform';

/** Longer than a call's time-out, so that its places are given back and taken again. */
const CALLS_MS = 45_000;
const LISTS_MS = 60_000;
const POLL_MS = 500;
const EVENTS_AT_ONCE = 20;
const LISTS_AT_ONCE = 8;
const PREVIEWS_AT_ONCE = 10;
const TEMPLATE_BYTES = 1_000_000;
/** Length of the end of an answer, which has its cursor. */
const TAIL_BYTES = 1_000;

/** Puts load on the platform that other projects may notice; resolves when done or aborted. */
type Act = (signal: AbortSignal) => Promise<void>;

/** Prepares the project for a load of this size. */
type Scene = (platform: BenchPlatform, size: number) => Promise<Act>;

export const SCENES = {
  automation: { size: 700, what: 'contacts enter an automation that changes them four times', scene: automation },
  'automation-large': { size: 10_000, what: 'contacts enter an automation that changes them four times', scene: automation },
  calls: { size: 220, what: 'executions call a mute URL', scene: calls },
  'calls-many': { size: 2_000, what: 'executions call a mute URL', scene: calls },
  campaign: { size: 50_000, what: 'recipients of a campaign', scene: campaign },
  import: { size: 200_000, what: 'rows of an import', scene: importing },
  previews: { size: 20, what: 'previews of a template of 937 KiB, ten at once', scene: previews },
  templates: { size: 60, what: 'templates of 1 MB are listed, eight times at once', scene: templates },
} as const satisfies Readonly<Record<string, { readonly size: number; readonly what: string; readonly scene: Scene }>>;

async function automation(platform: BenchPlatform, size: number): Promise<Act> {
  const changes = ['one', 'two', 'three', 'four'].map((id) => node(id, 'update_contact', { data: { [id]: true } }));
  await activate(platform, size, changes);
  return async (signal) => {
    await emitAll(platform, size, signal);
    const { projectId } = platform.ground.keys;
    const over = () => mongoose.connection.collection('automation_executions').countDocuments({ projectId, finishedAt: { $type: 'date' } });
    while (!signal.aborted && (await over()) < size) await sleep(POLL_MS);
  };
}

async function calls(platform: BenchPlatform, size: number): Promise<Act> {
  const mute = net.createServer((socket) => socket.on('error', () => socket.destroy()).resume());
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
  mute.unref();
  const url = `http://127.0.0.1:${(mute.address() as AddressInfo).port}/`;
  await activate(platform, size, [node('call', 'webhook', { url })]);
  return async (signal) => {
    await Promise.all([emitAll(platform, size, signal), sleep(CALLS_MS)]);
  };
}

async function campaign(platform: BenchPlatform, size: number): Promise<Act> {
  await insertPeople(platform.ground.keys.projectId, size, readerOf);
  const draft = { name: 'News', subject: 'News for {{firstName}}', body: NEWSLETTER, fromEmail: 'hello@hello.test', audience: 'all' };
  const { campaignId } = await platform.call('POST', '/v1/campaigns', draft);
  const path = `/v1/campaigns/${String(campaignId)}`;
  return async (signal) => {
    await platform.call('POST', `${path}/send`, {});
    while (!signal.aborted && (await platform.call('GET', path))['status'] === 'sending') await sleep(POLL_MS);
  };
}

function importing(platform: BenchPlatform, size: number): Promise<Act> {
  const rows = Array.from({ length: size }, (_, n) => `user-${n}@example.com,First${n},${n},plan-${n % 5}\n`);
  const body = `email,firstName,number,plan\n${rows.join('')}`;
  return Promise.resolve(async (signal) => {
    const answer = await fetch(`${platform.url}/v1/contacts/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${platform.ground.keys.secret}`, 'content-type': 'text/csv' },
      body,
    });
    const { data } = (await answer.json()) as { data?: { importId: string } };
    if (!data) throw new Error(`The import was refused with ${answer.status}`);
    const path = `/v1/contacts/import/${data.importId}`;
    while (!signal.aborted && (await platform.call('GET', path))['status'] !== 'completed') await sleep(POLL_MS);
  });
}

function previews(platform: BenchPlatform, size: number): Promise<Act> {
  const body = { subject: 'Hello', body: '<ul><li>'.repeat(120_000) };
  return Promise.resolve(async (signal) => {
    let left = size;
    const work = async (): Promise<void> => {
      while (!signal.aborted && left-- > 0) await platform.call('POST', '/v1/templates/preview', body);
    };
    await Promise.all(Array.from({ length: PREVIEWS_AT_ONCE }, work));
  });
}

async function templates(platform: BenchPlatform, size: number): Promise<Act> {
  const body = `<p>${'x'.repeat(TEMPLATE_BYTES)}</p>`;
  for (let n = 0; n < size; n++) {
    await platform.call('POST', '/v1/templates', { name: `Template ${n}`, subject: 'Hello', body, fromEmail: 'hello@hello.test' });
  }
  return async (signal) => {
    const end = performance.now() + LISTS_MS;
    const work = async (): Promise<void> => {
      for (let cursor = ''; !signal.aborted && (cursor !== '' || performance.now() < end);) cursor = await listed(platform, cursor);
    };
    await Promise.all(Array.from({ length: LISTS_AT_ONCE }, work));
  };
}

/** Reads a page of the list and discards it, as lightly as may be: the probes share this process. Resolves to the next cursor. */
async function listed(platform: BenchPlatform, cursor: string): Promise<string> {
  const url = `${platform.url}/v1/templates${cursor && `?cursor=${encodeURIComponent(cursor)}`}`;
  const asked = get(url, { headers: { authorization: `Bearer ${platform.ground.keys.secret}` } });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  let tail: Buffer = Buffer.alloc(0);
  answer.on('data', (chunk: Buffer) => {
    tail = chunk.length < TAIL_BYTES ? Buffer.concat([tail, chunk]).subarray(-TAIL_BYTES) : chunk.subarray(-TAIL_BYTES);
  });
  await once(answer, 'end');
  const text = tail.toString('latin1');
  if (!text.endsWith('}')) throw new Error(`A list ended with ${text.slice(-100)}`);
  return /"nextCursor":"([^"]+)"\}$/.exec(text)?.[1] ?? '';
}

/** Creates contacts, and activates an automation of these nodes in a row. */
async function activate(platform: BenchPlatform, size: number, steps: readonly ReturnType<typeof node>[]): Promise<void> {
  await insertPeople(platform.ground.keys.projectId, size);
  const nodes = [node('start', 'trigger'), ...steps];
  const edges = steps.map(({ id }, index) => edge(nodes[index]?.id ?? '', id, nodes[index]?.type === 'webhook' ? 'success' : undefined));
  const { workflowId } = await platform.call('POST', '/v1/workflows', { name: 'Busy', trigger: 'event:begin', graph: { nodes, edges } });
  await platform.call('PATCH', `/v1/workflows/${String(workflowId)}`, { status: 'active' });
}

/** Emits one event of each contact. */
async function emitAll(platform: BenchPlatform, size: number, signal: AbortSignal): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < size && !signal.aborted)
      await platform.call('POST', '/v1/events', { name: 'begin', email: `user-${next++}@example.com` });
  };
  await Promise.all(Array.from({ length: EVENTS_AT_ONCE }, work));
}
