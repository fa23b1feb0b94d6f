import { aPlatform, Part, eventually } from '../../../support/platform/platform';
import { aPart } from '../../../support/platform/platform-parts';
import { storeContacts } from '../../../support/data/people';

jest.setTimeout(240_000);

const MANY = 400;
const FIRST = MANY / 2;

const platform = aPlatform({ env: { SMTP_CONNECTIONS: '4', LEDGER_CHUNK: '20', SMTP_RETRY_SECONDS: '1,1,2,2,5,5,5,5,5' } });
const second = aPart(() => new Part('worker/main.ts', platform.env, 'Worker is ready'));

interface Step {
  readonly state: string;
  readonly checkAt: string | null;
}

const campaign = async (id: string) =>
  (await platform.get(`/v1/campaigns/${id}`)).body.data as { readonly status: string; readonly rollout: readonly [Step, Step] };
const arrived = (): ReadonlySet<string> => new Set(platform.smtp.messages.map(({ to }) => to));

/** Kills both workers in the middle of what they do, and starts them again. */
async function killBoth(): Promise<void> {
  await Promise.all([platform.worker.kill9(), second.kill9()]);
  await Promise.all([platform.worker.start(), second.start()]);
}

test('a rollout whose workers are killed in its steps and in its wait: nobody twice, nobody forgotten, and no step before its time', async () => {
  const emails = Array.from({ length: MANY }, (_, index) => `stepped${index}@example.com`);
  await storeContacts(
    platform.keys.projectId,
    emails.map((email) => [email, {}]),
  );
  const draft = { name: 'Stepped', subject: 'News', body: '<p>Hello</p>', fromEmail: 'team@hello.test' };
  const id = (await platform.post('/v1/campaigns', draft)).body.data.campaignId as string;
  platform.smtp.script = ({ stage }) => (stage === 'dot' ? { dot: { delayMs: 30 } } : {});

  await platform.post(`/v1/campaigns/${id}/send`, { rollout: [{ percent: 50, wait: { amount: 1, unit: 'minutes' } }, { percent: 100 }] });
  await eventually('the first step is on its way', () => arrived().size > FIRST / 4, 60_000);
  await killBoth();

  const waiting = await eventually(
    'the first step waits',
    async () => {
      const [first] = (await campaign(id)).rollout;
      return first.state === 'waiting' ? first : null;
    },
    120_000,
  );
  await killBoth();
  expect(arrived().size).toBeLessThanOrEqual(FIRST);

  await eventually('the second step is on its way', () => arrived().size > FIRST + FIRST / 4, 120_000);
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(waiting.checkAt ?? ''));
  await killBoth();

  await eventually('it is sent', async () => (await campaign(id)).status === 'sent', 120_000);
  await eventually('all have arrived', () => arrived().size === MANY, 120_000);
  for (const email of emails) expect([email, new Set(platform.messageIds(email)).size]).toEqual([email, 1]);
  expect((await campaign(id)).rollout.map(({ state }) => state)).toEqual(['done', 'done']);
});
