import { aProject } from '../../../support/platform/app';
import { aFreshProject } from '../../../support/data/projects';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { SEND_RATE_PER_SECOND: '1', SEND_RATE_BURST: '10' } });

const fresh = aFreshProject('Rate');

const send = (key = app.keys.test) =>
  app.api(key).post('/v1/send').send({ to: 'ada@example.com', from: 'hello@hello.test', subject: 'Hello', text: 'Hello' });
const bucket = (projectId = app.keys.projectId) => stored.rateBuckets.one(projectId);

test('a process whose clock is behind does not refill the rate limit twice', async () => {
  const ahead = new Date(Date.now() + 3_600_000);
  await stored.rateBuckets.make({ _id: app.keys.projectId, units: 2, drawn: 0, at: ahead });
  expect((await send().expect(200)).headers['ratelimit-remaining']).toBe('1');
  expect((await send().expect(200)).headers['ratelimit-remaining']).toBe('0');
  await send().expect(429);
  expect(await bucket()).toMatchObject({ units: 0, at: ahead });
});

test('a batch beyond the rate stores nothing, but says first what is wrong with it', async () => {
  const html = `<p>${'Only in a batch that is refused. '.repeat(400)}</p>`;
  const batch = (subject: string) => {
    const messages = [1, 2, 3].map((n) => ({ to: `ada${n}@example.com`, from: 'hello@hello.test', subject, html }));
    return app.api(app.keys.test).post('/v1/send/batch').send({ messages });
  };
  await send().expect(429);
  const stores = await stored.contents.count({});
  const { headers } = await batch('Hello').expect(429);
  expect(headers).toMatchObject({ 'ratelimit-limit': '10', 'ratelimit-remaining': '0', 'retry-after': expect.any(String) });
  await batch('Hello {{name').expect(422);
  expect(await stored.contents.count({})).toBe(stores);
});

test('units come back as time passes', async () => {
  await stored.rateBuckets.make({ _id: fresh.projectId, units: 0, drawn: 0, at: new Date(Date.now() - 5_000) });
  const before = Date.now() - 1_000;
  expect((await send(fresh.test).expect(200)).headers['ratelimit-remaining']).toBe('4');
  expect((await bucket(fresh.projectId))?.at.getTime()).toBeGreaterThan(before);
});
