import { DAY_MS, HOUR_MS, dayIn, closedWindows, openingOf } from '../../../support/data/windows';
import { aProject } from '../../../support/platform/app';
import { faultsOf } from '../../../support/calls/campaigns';
import { activate, chain, contact, play, send } from '../../../support/calls/automations';
import { freshAddress } from '../../../support/data/people';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

type Result = Readonly<Record<string, unknown>>;

const setWindows = (windows: unknown) => app.api().patch('/v1/settings').send({ windows });
const inProject = async (windows: unknown): Promise<void> => void (await setWindows(windows).expect(200));
afterEach(() => inProject(null));

async function sent(to: string, more: Result = {}): Promise<Result> {
  const { body } = await app
    .api()
    .post('/v1/send')
    .send({ to, from: 'ada@hello.test', subject: 'Hi', html: '<p>Hi</p>', type: 'marketing', ...more })
    .expect(200);
  return (body.data.results as Result[])[0] ?? {};
}

const scheduledFor = async (id: unknown): Promise<unknown> =>
  (
    await app
      .api()
      .get(`/v1/emails/${String(id)}`)
      .expect(200)
  ).body.data.scheduledFor;

describe('windows in the settings', () => {
  test('are stored with their defaults, shown, and removed by null', async () => {
    expect((await app.api().get('/v1/settings').expect(200)).body.data.windows).toBeNull();
    const { body } = await setWindows({ from: '09:00', until: '17:00' }).expect(200);
    const whole = { days: [1, 2, 3, 4, 5, 6, 7], from: '09:00', until: '17:00', timezone: 'recipient', fallback: 'UTC', outside: 'wait' };
    expect(body.data.windows).toEqual(whole);
    expect((await app.api().get('/v1/settings').expect(200)).body.data.windows).toEqual(whole);
    expect((await setWindows(null).expect(200)).body.data.windows).toBeNull();
  });

  test.each([
    [{ until: '17:00' }, 'windows.from'],
    [{ from: '9:00', until: '17:00' }, 'windows.from'],
    [{ from: '24:00', until: '17:00' }, 'windows.from'],
    [{ from: '09:00', until: '24:01' }, 'windows.until'],
    [{ from: '09:00', until: '17:00', days: [] }, 'windows.days'],
    [{ from: '09:00', until: '17:00', days: [0] }, 'windows.days.0'],
    [{ from: '09:00', until: '17:00', timezone: 'Mars/Olympus' }, 'windows.timezone'],
    [{ from: '09:00', until: '17:00', fallback: 'recipient' }, 'windows.fallback'],
    [{ from: '09:00', until: '17:00', outside: 'drop' }, 'windows.outside'],
    [{ from: '09:00', until: '17:00', expireAfter: { amount: 0, unit: 'hours' } }, 'windows.expireAfter.amount'],
  ])('%j is refused at %s', async (windows, path) => {
    const { body } = await setWindows(windows).expect(422);
    expect(faultsOf(body).map(([at]) => at)).toEqual([path]);
  });
});

describe('a marketing message outside of its window', () => {
  test('waits for the opening in the zone of its contact, in its own process', async () => {
    await inProject(closedWindows());
    const [vienna, unknown] = [freshAddress(), freshAddress()];
    await contact(app, { email: vienna, timezone: 'Asia/Kolkata' });
    const [known, other] = [await sent(vienna), await sent(unknown)];
    expect([known, other]).toEqual([expect.objectContaining({ status: 'scheduled' }), expect.objectContaining({ status: 'scheduled' })]);
    expect(await scheduledFor(known['id'])).toBe(openingOf('Asia/Kolkata'));
    expect(await scheduledFor(other['id'])).toBe(openingOf('UTC'));
    const row = await stored.emails.one({ _id: String(known['id']) });
    expect(row).toMatchObject({ status: 'queued', dueAt: new Date(openingOf('Asia/Kolkata')) });
  });

  test('does not wait where it is transactional, or the window is open', async () => {
    await inProject(closedWindows());
    expect(await sent(freshAddress(), { type: 'transactional' })).toMatchObject({ status: 'queued' });
    await inProject({ from: '00:00', until: '24:00' });
    expect(await sent(freshAddress())).toMatchObject({ status: 'queued' });
  });

  test('goes at the opening after its own time', async () => {
    await inProject(closedWindows({ days: [dayIn(5)] }));
    const { id } = await sent(freshAddress(), { sendAt: new Date(Date.now() + 3 * DAY_MS).toISOString() });
    expect(await scheduledFor(id)).toBe(openingOf('UTC', 5));
    const within = new Date(Date.parse(openingOf('UTC', 5)) + HOUR_MS).toISOString();
    const { id: later } = await sent(freshAddress(), { sendAt: within });
    expect(await scheduledFor(later)).toBe(within);
  });

  test('is skipped where the window says so, or where it would wait too long', async () => {
    const to = freshAddress();
    await inProject(closedWindows({ outside: 'skip' }));
    expect(await sent(to)).toEqual({ to, skipped: 'limit_reached', detail: { window: 'closed' } });
    await inProject(closedWindows({ expireAfter: { amount: 12, unit: 'hours' } }));
    expect(await sent(to)).toEqual({ to, skipped: 'limit_reached', detail: { window: 'expired' } });
    await inProject(closedWindows({ expireAfter: { amount: 9, unit: 'days' } }));
    expect(await sent(to)).toMatchObject({ status: 'scheduled' });
  });

  test('a reason of the recipient’s own comes first', async () => {
    const to = freshAddress();
    await contact(app, { email: to, subscribed: false });
    await inProject(closedWindows({ outside: 'skip' }));
    expect(await sent(to)).toEqual({ to, skipped: 'unsubscribed' });
  });
});

describe('windows of an automation', () => {
  const graph = (type: 'marketing' | 'transactional') => chain(send('mail', { type }));

  test('the message waits, and the execution goes on; transactional mail does not wait', async () => {
    await inProject(closedWindows());
    const contactId = await contact(app, { timezone: 'America/Lima' });
    const run = await play(app, await activate(app, graph('marketing')), contactId);
    expect(run.status).toBe('completed');
    const row = await stored.emails.one({ contactId });
    expect(row).toMatchObject({ status: 'queued', scheduledFor: new Date(openingOf('America/Lima')) });
    const other = await contact(app);
    await play(app, await activate(app, graph('transactional')), other);
    expect(await stored.emails.one({ contactId: other })).not.toHaveProperty('scheduledFor');
  });

  test('its own word wins over the project’s, and null leaves it to the project', async () => {
    await inProject(closedWindows());
    const own = await activate(app, graph('marketing'), { windows: { from: '00:00', until: '24:00' } });
    const first = await contact(app);
    await play(app, own, first);
    expect(await stored.emails.one({ contactId: first })).not.toHaveProperty('scheduledFor');
    const patched = await app.api().patch(`/v1/workflows/${own}`).send({ windows: null }).expect(200);
    expect(patched.body.data).not.toHaveProperty('windows');
    const second = await contact(app);
    await play(app, own, second);
    expect(await stored.emails.one({ contactId: second })).toMatchObject({ scheduledFor: new Date(openingOf('UTC')) });
  });

  test('a skip is on the step', async () => {
    const id = await activate(app, graph('marketing'), { windows: closedWindows({ outside: 'skip' }) });
    const run = await play(app, id, await contact(app));
    expect(run.steps.find(({ nodeId }) => nodeId === 'mail')).toMatchObject({
      status: 'skipped',
      output: { skipped: 'limit_reached', detail: { window: 'closed' } },
    });
  });

  test('a rehearsal shows when the message would go, and goes on', async () => {
    const id = await activate(app, graph('marketing'), { windows: { days: [1], from: '09:00', until: '17:00' } });
    const { body } = await app
      .api()
      .post(`/v1/workflows/${id}/rehearse`)
      .send({ contact: { timezone: 'Asia/Tokyo' }, start: '2026-03-04T12:00:00Z' })
      .expect(200);
    expect(body.data).toMatchObject({
      status: 'completed',
      endedAt: '2026-03-04T12:00:00.000Z',
      emails: [{ at: '2026-03-09T00:00:00.000Z' }],
    });
  });
});
