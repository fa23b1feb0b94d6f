import { leaveByMail } from '../../../../src/sending/tracking/opt-out';
import { aProject } from '../../../support/platform/app';
import { publicUrls } from '../../../support/calls/public-urls';
import { topicCalls } from '../../../support/calls/topics';
import type { WireTopic } from '../../../support/calls/topics';
import { storeEmail } from '../../../support/data/email-rows';
import { freshAddress } from '../../../support/data/people';
import { stored } from '../../../support/data/stored';
import { contactCalls } from '../contacts/calls';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
const { api, upsert, get, emitted } = contactCalls(() => app);
const { topic, leave, ofContact } = topicCalls(() => app);

const mailOf = async (to: string, of: WireTopic | null, contactId: string | null = null): Promise<string> => {
  const mailTopic = of && { topicId: of.topicId, defaultSubscription: of['defaultSubscription'] as 'in' | 'out' };
  const change = { to, contactId, type: 'marketing', status: 'delivered', ...(mailTopic && { topic: mailTopic }) } as const;
  return (await storeEmail(app.keys.projectId, change))._id;
};
const urlOf = (emailId: string, act = ''): URL => new URL(new URL(publicUrls(app.core, emailId).unsubscribeUrl).pathname + act, app.url);
const post = (emailId: string, act = '', body?: string): Promise<Response> =>
  fetch(urlOf(emailId, act), {
    method: 'POST',
    ...(body && { body, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }),
  });
const ONE_CLICK = 'List-Unsubscribe=One-Click';

test('one click on mail with a topic leaves that topic and nothing else, once', async () => {
  const news = await topic({ name: 'Fresh news' });
  const email = freshAddress();
  const { contactId } = await upsert(email);
  const emailId = await mailOf(email, news, contactId);
  expect((await fetch(urlOf(emailId))).status).toBe(200);
  expect(await ofContact(contactId, news)).toMatchObject({ subscribed: true });
  for (let time = 0; time < 2; time++) expect((await post(emailId, '', ONE_CLICK)).status).toBe(200);
  expect(await ofContact(contactId, news)).toMatchObject({ subscribed: false, explicit: true, source: 'one_click' });
  expect(await get(contactId)).toMatchObject({ subscribed: true });
  expect((await api().get('/v1/suppressions/check').query({ email }).expect(200)).body.data.suppressed).toBe(false);
  const events = (await emitted(contactId)).filter(({ name }) => name !== 'contact.created');
  expect(events.map(({ name, data }) => [name, data]).sort()).toEqual([
    ['contact.topic_unsubscribed', { topicId: news.topicId, key: news.key, source: 'one_click' }],
    ['email.unsubscribed', { source: expect.any(String), method: 'one_click', first: true, topicId: news.topicId }],
  ]);
});

test('one click on mail without a topic leaves everything, as before', async () => {
  const email = freshAddress();
  const { contactId } = await upsert(email);
  await post(await mailOf(email, null, contactId), '', ONE_CLICK);
  expect(await get(contactId)).toMatchObject({ subscribed: false });
});

test('the page names the topic in the language of the reader, and offers to leave everything and to come back', async () => {
  const news = await topic({ name: 'News', names: { de: 'Neuigkeiten' } });
  const email = freshAddress();
  const { contactId } = await upsert(email, { locale: 'de-AT' });
  const emailId = await mailOf(email, news, contactId);
  expect(await (await fetch(urlOf(emailId))).text()).toContain('„Neuigkeiten“ abbestellen?');
  const page = await (await post(emailId)).text();
  expect(page).toContain('„Neuigkeiten“ ist abbestellt');
  expect([...page.matchAll(/action="([^"]+)"/g)].map(([, action]) => action)).toEqual([
    expect.stringMatching(/\/undo$/),
    expect.stringMatching(/\/everything$/),
    expect.stringMatching(/\/p\//),
  ]);
  expect(await ofContact(contactId, news)).toMatchObject({ subscribed: false, source: 'link' });

  expect((await post(emailId, '/undo')).status).toBe(200);
  expect(await ofContact(contactId, news)).toMatchObject({ subscribed: true, explicit: true, source: 'link' });

  await post(emailId);
  expect((await post(emailId, '/everything')).status).toBe(200);
  expect(await get(contactId)).toMatchObject({ subscribed: false });
  // What is taken back is what was left last; the topic stays left.
  expect((await post(emailId, '/undo')).status).toBe(200);
  expect(await get(contactId)).toMatchObject({ subscribed: true });
  expect(await ofContact(contactId, news)).toMatchObject({ subscribed: false });
});

test('a link takes back only what was left through it', async () => {
  const news = await topic();
  const email = freshAddress();
  const { contactId } = await upsert(email);
  const emailId = await mailOf(email, news, contactId);
  await leave(contactId, news);
  expect((await post(emailId, '/undo')).status).toBe(409);
  expect(await ofContact(contactId, news)).toMatchObject({ subscribed: false, source: 'api' });
});

test('mail to the unsubscribe address leaves the topic too, of an address that is no contact by its hash', async () => {
  const news = await topic();
  const email = freshAddress();
  const emailId = await mailOf(email, news);
  expect(await leaveByMail(app.core, emailId, 'mailto')).toMatchObject({ topic: { key: news.key } });
  const message = {
    to: email,
    from: 'a@hello.test',
    subject: 'S',
    text: 'T',
    type: 'marketing',
    topicId: news.topicId,
    createContact: false,
  };
  const { body } = await api().post('/v1/send').send(message).expect(200);
  expect(body.data.results).toEqual([{ to: email, skipped: 'unsubscribed', detail: { topicId: news.topicId } }]);
  const kept = await stored.keptTopics.all({ projectId: app.keys.projectId });
  expect(JSON.stringify(kept)).not.toContain(email.split('@')[0]);
  expect((await upsert(email)).subscribed).toBe(true);
  expect(await ofContact(encodeURIComponent(email), news)).toMatchObject({ subscribed: false, source: 'mailto' });
});
