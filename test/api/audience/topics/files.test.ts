import { aProject } from '../../../support/platform/app';
import { importCsv, upload } from '../../../support/calls/imports';
import { topicCalls } from '../../../support/calls/topics';
import { freshAddress } from '../../../support/data/people';
import { contactCalls } from '../contacts/calls';

const app = aProject();
const { api, upsert, get, emitted } = contactCalls(() => app);
const { topic, leave, join, ofContact } = topicCalls(() => app);

const exported = async (): Promise<string[]> => {
  const { text } = await api().get('/v1/contacts/export').expect(200);
  return text.replace('\ufeff', '').trim().split(/\r?\n/);
};

describe('an import', () => {
  test('sets topics, of new contacts and of known ones, and emits what changes', async () => {
    const [news, offers] = [await topic(), await topic({ defaultSubscription: 'out' })];
    const [known, made] = [freshAddress(), freshAddress()];
    const { contactId } = await upsert(known);
    const job = await importCsv(app, `email,topic.${news.key},topic.${offers.key}\n${known},no,yes\n${made},,1\n`);
    expect(job).toMatchObject({ status: 'completed', created: 1, updated: 1, failed: 0 });
    expect(job['columns']).toEqual([
      { header: 'email', field: 'email' },
      { header: `topic.${news.key}`, field: `topic.${news.key}` },
      { header: `topic.${offers.key}`, field: `topic.${offers.key}` },
    ]);
    expect(await ofContact(contactId, news)).toMatchObject({ subscribed: false, explicit: true, source: 'import' });
    expect(await ofContact(contactId, offers)).toMatchObject({ subscribed: true, explicit: true, source: 'import' });
    expect(await ofContact(encodeURIComponent(made), news)).toMatchObject({ subscribed: true, explicit: false });
    expect(await ofContact(encodeURIComponent(made), offers)).toMatchObject({ subscribed: true, explicit: true });
    const names = (await emitted(contactId)).map(({ name }) => name).filter((name) => name.startsWith('contact.topic'));
    expect(names.sort()).toEqual(['contact.topic_subscribed', 'contact.topic_unsubscribed']);
  });

  test('never brings back a person who left, deleted and made again too', async () => {
    const news = await topic();
    const [stays, returns] = [freshAddress(), freshAddress()];
    for (const email of [stays, returns]) await leave((await upsert(email)).contactId, news);
    await api()
      .delete(`/v1/contacts/${encodeURIComponent(returns)}`)
      .expect(200);
    await importCsv(app, `email,topic.${news.key}\n${stays},true\n${returns},true\n`);
    for (const email of [stays, returns])
      expect(await ofContact(encodeURIComponent(email), news)).toMatchObject({ subscribed: false, explicit: true, source: 'api' });
  });

  test('refuses a topic that does not exist, and lists a row whose cell says neither yes nor no', async () => {
    const news = await topic();
    const { body } = await api()
      .post('/v1/contacts/import')
      .set('Content-Type', 'text/csv')
      .send(`email,topic.unknown\n${freshAddress()},yes\n`)
      .expect(422);
    expect(body.details).toEqual([
      { path: 'file', code: 'invalid_string', message: 'The header “topic.unknown” names a topic that does not exist' },
    ]);
    const email = freshAddress();
    const job = await importCsv(app, `email,topic.${news.key}\n${email},maybe\n`);
    const message = `topic.${news.key} is none of true, false, 1, 0, yes, no: "maybe"`;
    expect(job).toMatchObject({ failed: 1, errors: [{ row: 1, email, message }] });
  });

  test('of a project without topics takes such a header for a field', async () => {
    const job = await upload(app, `email,topic.news\n${freshAddress()},yes\n`, '', app.otherKeys.secret);
    expect(job['columns']).toContainEqual({ header: 'topic.news', field: 'data.topic_news' });
  });
});

test('an export has what contacts chose, and importing it again changes nothing', async () => {
  const news = await topic();
  const [left, silent] = [freshAddress(), freshAddress()];
  const { contactId } = await upsert(left);
  await upsert(silent);
  await leave(contactId, news);
  const before = await get(contactId);
  const lines = await exported();
  const column = lines[0]?.split(',').indexOf(`topic.${news.key}`) ?? -1;
  const cellOf = (email: string) => lines.find((line) => line.startsWith(`${email},`))?.split(',')[column];
  expect([cellOf(left), cellOf(silent)]).toEqual(['false', '']);
  await importCsv(app, `${lines.join('\n')}\n`);
  expect(await get(contactId)).toEqual(before);
  expect(await ofContact(encodeURIComponent(silent), news)).toMatchObject({ explicit: false });
});

test('the data of a contact names the topics that it chose', async () => {
  const [news, offers] = [await topic(), await topic({ defaultSubscription: 'out' })];
  const { contactId } = await upsert(freshAddress());
  await join(contactId, offers);
  const { body } = await api().get(`/v1/contacts/${contactId}/data`).expect(200);
  expect(body.data.topics).toEqual([
    { topicId: offers.topicId, key: offers.key, name: 'News', subscribed: true, since: expect.any(String), source: 'api' },
  ]);
  expect(JSON.stringify(body.data.topics)).not.toContain(news.topicId);
});
