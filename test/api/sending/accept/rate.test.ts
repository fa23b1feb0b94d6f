import { aProject } from '../../../support/platform/app';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { SEND_RATE_PER_SECOND: '1', SEND_RATE_BURST: '10' } });

const send = () =>
  app.api(app.keys.test).post('/v1/send').send({ to: 'ada@example.com', from: 'hello@hello.test', subject: 'Hello', text: 'Hello' });
const bucket = () => stored.rateBuckets.one(app.keys.projectId);

test('a process whose clock is behind does not refill the rate limit twice', async () => {
  const ahead = new Date(Date.now() + 3_600_000);
  await stored.rateBuckets.make({ _id: app.keys.projectId, units: 2, at: ahead });
  expect((await send().expect(200)).headers['ratelimit-remaining']).toBe('1');
  expect((await send().expect(200)).headers['ratelimit-remaining']).toBe('0');
  await send().expect(429);
  expect(await bucket()).toMatchObject({ units: 0, at: ahead });
});

test('units come back as time passes', async () => {
  await stored.rateBuckets.change(app.keys.projectId, { units: 0, at: new Date(Date.now() - 5_000) });
  const before = Date.now() - 1_000;
  expect((await send().expect(200)).headers['ratelimit-remaining']).toBe('4');
  expect((await bucket())?.at.getTime()).toBeGreaterThan(before);
});
