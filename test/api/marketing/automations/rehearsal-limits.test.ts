import { aProject } from '../../../support/platform/app';
import { activate, always, chain, node, play, send } from '../../../support/calls/automations';
import { freshAddress } from '../../../support/data/people';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
const marketing = { type: 'marketing' };
const DAY_MS = 86_400_000;

const settings = (change: object) => app.api().patch('/v1/settings').send(change).expect(200);
const daily = (change: object = {}) =>
  settings({ frequencyCaps: [{ name: 'daily', max: 1, per: { amount: 1, unit: 'days' }, whenReached: 'wait', ...change }] });
const contact = async (email = freshAddress()): Promise<string> =>
  (await app.api().post('/v1/contacts').send({ email }).expect(201)).body.data.contactId as string;
const byApi = async (change: object) =>
  (
    await app
      .api()
      .post('/v1/send')
      .send({ subject: 'Hello', text: 'Hello', from: 'team@hello.test', ...marketing, ...change })
      .expect(200)
  ).body.data.results[0] as { id: string };

interface Rehearsed {
  readonly path: readonly { readonly nodeId: string; readonly output: object | null }[];
  readonly emails: readonly {
    readonly nodeId: string;
    readonly at: string;
    readonly waitsFor?: string;
    readonly skipped?: string;
    readonly detail?: object;
  }[];
}
const rehearse = async (id: string, body: object): Promise<Rehearsed> =>
  (await app.api().post(`/v1/workflows/${id}/rehearse`).send(body).expect(200)).body.data as Rehearsed;
const told = ({ emails }: Rehearsed) =>
  emails.map(({ nodeId, at, waitsFor, skipped, detail }) => ({
    nodeId,
    after: Math.abs(Math.round((Date.parse(at) - Date.now()) / DAY_MS)),
    ...(waitsFor && { waitsFor }),
    ...(skipped && { skipped, detail }),
  }));

afterEach(() => settings({ frequencyCaps: [], windows: null }));

test('messages of a rehearsal wait for a cap as those of an execution do, and nothing of it counts', async () => {
  await daily();
  const contactId = await contact();
  const workflow = await activate(app, chain(send('one', marketing), send('two', marketing), send('bill')), always);
  const wanted = [
    { nodeId: 'one', after: 0 },
    { nodeId: 'two', after: 1, waitsFor: 'frequency_cap' },
    { nodeId: 'bill', after: 0 },
  ];
  for (let again = 0; again < 2; again++) expect(told(await rehearse(workflow, { contactId }))).toEqual(wanted);
  expect(await stored.personLimits.count()).toBe(0);

  const { steps } = await play(app, workflow, contactId);
  const [, two] = steps.slice(1).map(({ output }) => (output as { emailId: string }).emailId) as [string, string];
  const due = (await app.api().get(`/v1/emails/${two}`).expect(200)).body.data.scheduledFor as string;
  expect(Math.round((Date.parse(due) - Date.now()) / DAY_MS)).toBe(1);
});

test('what the person got, or waits for, counts; a cancelled message does not', async () => {
  await daily();
  const email = freshAddress();
  const contactId = await contact(email);
  const workflow = await activate(
    app,
    chain(send('mail', marketing), node('later', 'delay', { amount: 50, unit: 'hours' }), send('more', marketing)),
    always,
  );
  await byApi({ to: email });
  const waiting = await byApi({ to: email });
  expect(told(await rehearse(workflow, { contactId }))).toEqual([
    { nodeId: 'mail', after: 2, waitsFor: 'frequency_cap' },
    { nodeId: 'more', after: 3, waitsFor: 'frequency_cap' },
  ]);
  await app.api().delete(`/v1/emails/${waiting.id}`).expect(200);
  expect(told(await rehearse(workflow, { contact: { email } }))).toEqual([
    { nodeId: 'mail', after: 1, waitsFor: 'frequency_cap' },
    { nodeId: 'more', after: 2 },
  ]);
});

test('a cap that skips, and a send-once key, skip in a rehearsal and say why', async () => {
  await daily({ whenReached: 'skip' });
  const contactId = await contact();
  const once = { sendOnce: { key: 'welcome' } };
  const workflow = await activate(
    app,
    chain(send('one', once), send('two', once), send('three', marketing), send('four', marketing)),
    always,
  );
  const rehearsal = await rehearse(workflow, { contactId });
  expect(told(rehearsal)).toEqual([
    { nodeId: 'one', after: 0 },
    { nodeId: 'two', after: 0, skipped: 'limit_reached', detail: { sendOnce: 'welcome', emailId: 'rehearsal/1' } },
    { nodeId: 'three', after: 0 },
    { nodeId: 'four', after: 0, skipped: 'limit_reached', detail: { cap: 'daily', until: expect.any(String) } },
  ]);
  expect(rehearsal.path.find(({ nodeId }) => nodeId === 'two')?.output).toMatchObject({ skipped: 'limit_reached' });
});

test('a message whose cap has room while its window is closed waits for the next opening', async () => {
  await settings({ windows: { from: '09:00', until: '10:00', timezone: 'UTC' } });
  const workflow = await activate(app, chain(send('one', marketing), send('two', marketing)), always);
  const start = '2030-01-07T05:00:00.000Z';
  const at = async () => (await rehearse(workflow, { start })).emails.map(({ at: goes, waitsFor }) => [goes, waitsFor]);
  expect(await at()).toEqual([
    ['2030-01-07T09:00:00.000Z', 'window'],
    ['2030-01-07T09:00:00.000Z', 'window'],
  ]);
  await daily({ per: { amount: 30, unit: 'hours' } });
  expect(await at()).toEqual([
    ['2030-01-07T09:00:00.000Z', 'window'],
    ['2030-01-09T09:00:00.000Z', 'frequency_cap'],
  ]);
});
