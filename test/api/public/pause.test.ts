import { endSnooze } from '../../../src/audience/contacts/snooze';
import { pauseEnd } from '../../../src/rules/pause';
import { snoozeWorkflowId } from '../../../src/contracts/contacts';
import { aProject } from '../../support/platform/app';
import { aReader } from '../../support/data/people';
import type { Reader } from '../../support/data/people';
import { stored } from '../../support/data/stored';
import { formsOf, preferenceCalls } from '../../support/calls/preference-calls';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
const { page, post, filled } = preferenceCalls(() => app);

const reader = (...[change, contact]: readonly [object?, (object | null)?]): Promise<Reader> =>
  aReader(app.keys.projectId, change, contact);
const contactOf = ({ contactId }: Reader) => stored.contacts.one(contactId);
const eventsOf = async ({ contactId, email }: Reader) =>
  (await stored.events.all({ $or: [{ emailId: email._id }, { contactId }] })).map(({ name, data }) => [name, data] as const);
const namesOf = async (who: Reader) => (await eventsOf(who)).map(([name]) => name).sort();
const save = async (who: Reader, change: Parameters<typeof filled>[1]) => post(who.email._id, filled(await page(who.email._id), change));

describe('a pause', () => {
  test('is kept with the contact, has a workflow, and is lengthened, ended and undone on the page', async () => {
    const who = await reader();
    const paused = await save(who, { pause: '1m' });
    const until = (await contactOf(who))?.snoozedUntil;
    const expected = pauseEnd(new Date(), '1m').getTime();
    expect(Math.abs((until?.getTime() ?? 0) - expected)).toBeLessThan(60_000);
    expect(paused.text).toContain('Stay paused until');
    const shown = (await app.api().get(`/v1/contacts/${who.contactId}`).expect(200)).body.data;
    expect(shown.snoozedUntil).toBe(until?.toISOString());
    expect(app.processes.start).toHaveBeenCalledWith(expect.objectContaining({ workflowId: snoozeWorkflowId(who.contactId) }));
    await save(who, {});
    expect((await contactOf(who))?.snoozedUntil).toEqual(until);
    const undo = formsOf(paused).find(({ text }) => text.includes('Undo'));
    await post(who.email._id, undo?.fields ?? []);
    expect((await contactOf(who))?.snoozedUntil).toBeUndefined();
    await save(who, { pause: '2w' });
    const ended = await save(who, { pause: 'none' });
    expect(ended.text).not.toContain('Stay paused until');
    expect(await namesOf(who)).toEqual(['contact.resumed', 'contact.resumed', 'contact.snoozed', 'contact.snoozed']);
  });

  test('of two tabs that pause, the second is shown what the first did', async () => {
    const who = await reader();
    const [one, other] = [await page(who.email._id), await page(who.email._id)];
    await post(who.email._id, filled(one, { pause: '6m' }));
    const until = (await contactOf(who))?.snoozedUntil;
    expect((await post(who.email._id, filled(other, { pause: '2w' }))).status).toBe(409);
    expect((await contactOf(who))?.snoozedUntil).toEqual(until);
  });
});

test('who pauses is skipped by marketing mail as unsubscribed, gets transactional mail, and gets both when the pause has ended by time', async () => {
  const who = await reader();
  await save(who, { pause: '2w' });
  const mail = { to: who.email.to, from: 'team@hello.test', subject: 'News', html: '<p>News</p>' };
  const send = async (type: string) =>
    (
      await app
        .api()
        .post('/v1/send')
        .send({ ...mail, type })
        .expect(200)
    ).body.data.results[0];
  const until = (await contactOf(who))?.snoozedUntil?.toISOString();
  expect(await send('marketing')).toEqual({ to: who.email.to, skipped: 'unsubscribed', detail: { snoozedUntil: until } });
  expect(await send('transactional')).toMatchObject({ status: 'queued' });
  const past = new Date(Date.now() - 1);
  await stored.contacts.change(who.contactId, { snoozedUntil: past });
  expect(await send('marketing')).toMatchObject({ status: 'queued' });
  const key = { contactId: who.contactId, projectId: app.keys.projectId };
  expect(await endSnooze({ ...key, now: past.getTime() - 1_000 })).toBe(past.toISOString());
  expect(await endSnooze({ ...key, now: past.getTime() })).toBeNull();
  expect(await endSnooze({ ...key, now: past.getTime() })).toBeNull();
  expect((await eventsOf(who)).filter(([name]) => name === 'contact.resumed')).toEqual([['contact.resumed', { source: 'time' }]]);
});
