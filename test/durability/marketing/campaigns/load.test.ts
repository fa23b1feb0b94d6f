import { insertPeople } from '../../../support/data/people';
import { aPlatform, Part, eventually } from '../../../support/platform/platform';
import { stored } from '../../../support/data/stored';

jest.setTimeout(240_000);

/** What the mail server takes for each message: then connections are what is scarce, not this machine. */
const SINK_MS = 20;
const PEOPLE = 800;
/** So slow that what else the machine does makes no difference. */
const SLOW_SINK_MS = 50;

const platform = aPlatform({ env: { SMTP_CONNECTIONS: '4' } });

beforeAll(async () => {
  platform.smtp.script = { dot: { delayMs: SINK_MS } };
  await insertPeople(platform.keys.projectId, PEOPLE);
}, 300_000);

async function begin(): Promise<string> {
  const draft = { name: 'Load', subject: 'News', body: '<p>Hello</p>', fromEmail: 'team@hello.test' };
  const { body } = await platform.post('/v1/campaigns', draft);
  const path = `/v1/campaigns/${body.data.campaignId as string}`;
  expect((await platform.post(`${path}/send`, {})).status).toBe(200);
  return path;
}

const count = (path: string) => platform.get(`${path}/recipients?status=sent&limit=1`).then(({ body }) => body.data.data.length as number);
const isSent = (path: string) => platform.get(path).then(({ body }) => body.data.status === 'sent');

/** Of a campaign of 800, this many messages may arrive while a single message waits: fifteen for each connection. */
const OVERTAKEN = 60;

/**
 * How many messages of the campaign arrive while a single message waits: of at most twenty, sent one after another until the campaign is sent, three
 * quarters wait for no more.
 */
async function overtaken(path: string): Promise<number> {
  const counts: number[] = [];
  for (let index = 0; index < 20 && !(await isSent(path)); index++) {
    const to = `single-${index}@single.test`;
    await platform.send(to, { createContact: false });
    const before = platform.smtp.messages.length;
    await eventually(`${to} has its message`, () => platform.arrived(to).length > 0);
    counts.push(platform.smtp.messages.findIndex((message) => message.to === to) - before);
  }
  return counts.sort((a, b) => a - b)[Math.ceil(counts.length * 0.75) - 1] ?? Number.NaN;
}

test('a message that is sent while a campaign runs does not wait behind it', async () => {
  const path = await begin();
  await eventually('the campaign is under way', async () => (await count(path)) > 0);
  expect(await overtaken(path)).toBeLessThanOrEqual(OVERTAKEN);
  await eventually('the campaign is sent', () => isSent(path));
});

test('two workers share a campaign where the mail server is slow', async () => {
  platform.smtp.script = { dot: { delayMs: SLOW_SINK_MS } };
  const second = new Part('worker/main.ts', platform.env, 'Worker is ready');
  await second.start();
  try {
    const before = platform.smtp.messages.length;
    const path = await begin();
    await eventually('the campaign is sent', () => isSent(path));
    expect(platform.smtp.messages.length - before).toBe(PEOPLE);
    const shares = await stored.emails.collection
      .aggregate<{ messages: number }>([
        { $match: { campaignId: path.split('/').at(-1) } },
        { $group: { _id: '$attempt.worker', messages: { $sum: 1 } } },
      ])
      .toArray();
    expect(shares).toHaveLength(2);
    for (const { messages } of shares) expect(messages).toBeGreaterThan(PEOPLE / 5);
  } finally {
    await second.stop();
  }
});
