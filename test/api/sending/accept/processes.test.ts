import { metrics } from '../../../../src/platform/metrics';
import { aProject } from '../../../support/platform/app';
import { aSecondApi } from '../../../support/platform/second-api';

const SETTINGS = { DEV_VERIFIED_DOMAINS: 'hello.test', SEND_RATE_PER_SECOND: '1', SEND_RATE_BURST: '460' } as const;
const app = aProject({ config: SETTINGS });
const second = aSecondApi(app, SETTINGS);
const [third, fourth] = [aSecondApi(app, SETTINGS), aSecondApi(app, SETTINGS)];

const send = (api: typeof app.api, n: number, more: object = {}) =>
  api()
    .post('/v1/send')
    .send({ to: `ada${n}@example.com`, from: 'hello@hello.test', subject: 'Hello', text: 'Hello', createContact: false, ...more });

const apis = (processes: 2 | 4) => [app, second, third, fourth].slice(0, processes).map(({ api }) => api);

/** Sends through several processes, turn by turn and all at once; resolves to the answers. */
const sendMany = (count: number, processes: 2 | 4 = 2, more: object = {}) => {
  const all = apis(processes);
  return Promise.all(Array.from({ length: count }, (_, n) => send(all[n % all.length] ?? app.api, n, more)));
};

const retries = async (): Promise<number> => (await metrics.transactionRetries.get()).values.reduce((sum, { value }) => sum + value, 0);

test.each([
  ['sent now', {}],
  ['sent later', { sendAt: new Date(Date.now() + 3_600_000).toISOString() }],
])('requests that two processes accept at the same time do not make each other’s transactions repeat: %s', async (_what, more) => {
  const before = await retries();
  for (let round = 0; round < 30; round++) {
    for (const { status, body } of await sendMany(4, 2, more)) expect([status, body]).toEqual([200, body]);
  }
  // The two may begin with the same stripe of the month's usage, or of what meets the removal of a domain.
  expect((await retries()) - before).toBeLessThan(6);
});

test.each([2, 4] as const)('%i processes accept exactly what a cap leaves', async (processes) => {
  const { used } = (await app.api().get('/v1/billing').expect(200)).body.data as { used: number };
  await app
    .api()
    .patch('/v1/billing')
    .send({ monthlyLimit: used + 13 })
    .expect(200);
  const answers = await sendMany(60, processes);
  await app.api().patch('/v1/billing').send({ monthlyLimit: null }).expect(200);
  expect(answers.map(({ status }) => status)).toEqual(Array(60).fill(200));
  expect(answers.filter(({ body }) => body.data.results[0].skipped === 'limit_reached')).toHaveLength(47);
  expect((await app.api().get('/v1/billing').expect(200)).body.data.used).toBe(used + 13);
});

test('four processes give out a rate once', async () => {
  const answers = await sendMany(220, 4);
  const accepted = answers.filter(({ status }) => status === 200);
  // 360 were taken before; one comes back each second.
  expect(accepted.length).toBeGreaterThanOrEqual(100);
  expect(accepted.length).toBeLessThan(140);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(220 - accepted.length);
});
