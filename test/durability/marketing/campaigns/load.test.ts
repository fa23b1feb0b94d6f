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

/** From the API's answer to the mail server: three quarters of at most twenty, sent one after another until it is over, take no longer, in milliseconds. */
async function waitOf(prefix: string, isOver: () => Promise<boolean> = () => Promise.resolve(false)): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < 20 && !(await isOver()); index++) {
    const to = `${prefix}-${index}@single.test`;
    await platform.send(to, { createContact: false });
    const answered = performance.now();
    await eventually(`${to} has its message`, () => platform.arrived(to).length > 0);
    times.push(performance.now() - answered);
  }
  return times.sort((a, b) => a - b)[Math.ceil(times.length * 0.75) - 1] ?? Number.NaN;
}

test('a message that is sent while a campaign runs does not wait behind it', async () => {
  const idle = await waitOf('idle');
  const path = await begin();
  await eventually('the campaign is under way', async () => (await count(path)) > 0);
  const during = await waitOf('during', () => isSent(path));
  expect(during).toBeLessThanOrEqual(Math.max(2 * idle, 250));
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
