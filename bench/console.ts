import type { Browser } from 'playwright-core';
import { ContactModel } from '../src/audience/contacts/model';
import { EmailModel } from '../src/records/emails/model';
import { newId } from '../src/platform/core';
import { makeLink } from '../src/records/console-sessions';
import { buildConsole, startBrowser } from '../test/browser/support/launch';
import { BenchPlatform } from './support/platform';
import { median, printTable } from './support/table';

const CONTACTS = 1_000_000;
const MESSAGES = 2_000_000;
const PAGE = 5_000;
const ROUNDS = 20;
const LOADS = 7;
/** The longest median of the first load of the start page. */
const MOST_MS = 1_000;
const MONTH_MS = 30 * 86_400_000;

type Row = Readonly<Record<string, unknown>>;

/** A collection to fill. */
interface Rows {
  insertMany(rows: Row[], options: { readonly ordered: boolean }): Promise<unknown>;
}

/** Stores `total` copies of a row, spread over a month. */
async function fill(rows: Rows, total: number, rowOf: (n: number, at: Date) => Row): Promise<void> {
  const now = Date.now();
  for (let start = 0; start < total; start += PAGE) {
    const page = Array.from({ length: Math.min(PAGE, total - start) }, (_, index) => {
      const n = start + index;
      return rowOf(n, new Date(now - MONTH_MS + (n / total) * MONTH_MS));
    });
    await rows.insertMany(page, { ordered: false });
  }
}

/** Sends a message and reads its stored row, which is not due any more. */
async function storedMessage(platform: BenchPlatform): Promise<Row> {
  await platform.call('POST', '/v1/send', { to: 'ada@example.com', from: 'hello@hello.test', subject: 'Hello', text: 'Hello' });
  const row = await EmailModel.collection.findOne<Row>({});
  if (!row) throw new Error('No message was stored');
  const { dueAt: _due, ...rest } = row;
  return rest;
}

const statusOf = (n: number): string => {
  if (n % 100_000 === 0) return 'failed';
  return n % 50 === 0 ? 'bounced' : 'delivered';
};

const sourceOf = (n: number): Row => (n % 100_000 === 1 ? { source: 'workflow', workflowId: 'wfl_of_few' } : {});

async function fillAll(platform: BenchPlatform): Promise<void> {
  const projectId = platform.ground.keys.projectId;
  const message = await storedMessage(platform);
  const contact = { projectId, lastName: 'Last', data: { plan: 'pro' }, locale: null, timezone: null, optedOutAt: null };
  await Promise.all([
    fill(ContactModel.collection as Rows, CONTACTS, (n, at) => ({
      ...contact,
      _id: newId('ctc'),
      email: `reader-${n}@example.com`,
      firstName: `First${n}`,
      subscribed: n % 10 !== 0,
      createdAt: at,
      updatedAt: at,
    })),
    fill(EmailModel.collection as Rows, MESSAGES, (n, at) => ({
      ...message,
      _id: newId('em'),
      to: `reader-${n % CONTACTS}@example.com`,
      status: statusOf(n),
      createdAt: at,
      ...sourceOf(n),
    })),
  ]);
}

/** The requests of the console's lists. */
const LISTS = [
  ['contacts', '/v1/contacts?limit=50'],
  ['contacts, by a part of the address', '/v1/contacts?limit=50&search=reader-77'],
  ['contacts, opted out', '/v1/contacts?limit=50&subscribed=false'],
  ['messages', '/v1/emails?limit=50'],
  ['messages to an address', '/v1/emails?limit=50&to=reader-777@example.com'],
  ['messages that bounced', '/v1/emails?limit=50&status=bounced'],
  ['messages that failed (one of 100,000)', '/v1/emails?limit=50&status=failed'],
  ['messages of automations (one of 100,000)', '/v1/emails?limit=50&source=workflow'],
  ['messages of a kind of which there are none', '/v1/emails?limit=50&source=campaign'],
  ['messages that wait, of which there are none', '/v1/emails?limit=50&status=queued'],
  ['a look for messages that were opened, of which there are none', '/v1/emails?limit=50&status=opened'],
] as const;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function askFor(platform: BenchPlatform, path: string): Promise<readonly [string, string]> {
  const headers = { authorization: `Bearer ${platform.ground.keys.secret}` };
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    times.push(
      await timed(async () => {
        const answer = await fetch(platform.url + path, { headers });
        await answer.arrayBuffer();
        if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
      }),
    );
  }
  return [`${median(times).toFixed(1)} ms`, `${Math.max(...times).toFixed(0)} ms`];
}

/** Measures from the link to the figures of the start page, in a browser with an empty cache. */
async function firstLoad(browser: Browser, { url, ground }: BenchPlatform): Promise<number> {
  const link = await makeLink(ground.keys.projectId, url);
  // As the tests have it: a machine without a language gives its browser a tag that charts do not take.
  const context = await browser.newContext({ locale: 'en-GB' });
  const page = await context.newPage();
  const took = await timed(async () => {
    await page.goto(link.url);
    // Looks at each frame; a locator that waits looks again after half a second.
    await page.waitForFunction(`document.querySelector('main')?.innerText.includes('Last 24 hours')`, null, { timeout: 10_000 });
  });
  await context.close();
  return took;
}

async function measureAll(platform: BenchPlatform, browser: Browser): Promise<void> {
  await fillAll(platform);
  const lists: (readonly string[])[] = [];
  for (const [name, path] of LISTS) lists.push([name, ...(await askFor(platform, path))]);
  printTable(`The console's lists, ${CONTACTS} contacts and ${MESSAGES} messages`, ['what', 'median', 'slowest'], lists);
  const loads: number[] = [];
  for (let load = 0; load < LOADS; load++) loads.push(await firstLoad(browser, platform));
  const took = median(loads);
  const load = ['first load of the start page', `${took.toFixed(0)} ms`, `${Math.max(...loads).toFixed(0)} ms`, `${MOST_MS} ms`];
  printTable('The console in a browser with an empty cache', ['what', 'median', 'slowest', 'limit of the median'], [load]);
  if (took > MOST_MS) throw new Error(`The start page took ${took.toFixed(0)} ms with ${CONTACTS} contacts, of at most ${MOST_MS}`);
}

/** Measures the console with a million contacts and two million messages: its lists, and the first load of its start page. */
export async function run(): Promise<void> {
  buildConsole();
  const [platform, browser] = await Promise.all([BenchPlatform.start(), startBrowser()]);
  try {
    await measureAll(platform, browser);
  } finally {
    await Promise.allSettled([browser.close(), platform.stop()]);
  }
}
