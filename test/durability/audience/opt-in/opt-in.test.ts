import { simpleParser } from 'mailparser';
import { aPlatform, eventually } from '../../../support/platform/platform';
import { stored } from '../../../support/data/stored';

const platform = aPlatform({ ownServers: true });

const PEOPLE = Array.from({ length: 20 }, (_, index) => `person-${index}@example.com`);
const BROWSER = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36' };

/** Resolves once the API answers 202: before that, nothing was promised. */
const ask = (email: string): Promise<unknown> =>
  eventually(`${email} is asked`, async () => (await platform.post('/v1/contacts', { email, optIn: 'double' })).status === 202);

/** Uses the button of the page that the confirmation leads to. */
async function confirm(email: string): Promise<void> {
  const [mail] = platform.arrived(email);
  const link = /https?:\/\/[^\s"<>]+\/c\/[^\s"<>]+/.exec((await simpleParser(mail?.raw ?? '')).text ?? '')?.[0];
  const page = `${platform.url}${new URL(String(link)).pathname}`;
  const version = /name="version" value="([^"]+)"/.exec(await (await fetch(page, { headers: BROWSER })).text())?.[1] ?? '';
  const answer = await fetch(page, { method: 'POST', headers: BROWSER, body: new URLSearchParams({ version }) });
  expect([email, answer.status]).toEqual([email, 200]);
}

test('an opt-in outlives the deaths of worker, Temporal and mongod: one confirmation for each person, and no consent lost', async () => {
  await platform.worker.kill9();
  await Promise.all(PEOPLE.map(ask));
  await platform.temporal.kill9();
  await platform.temporal.restart();
  await platform.worker.start();
  await eventually('some confirmations are out', () => platform.smtp.messages.length > 3);
  await platform.mongod.kill9();
  await platform.worker.kill9();
  await platform.mongod.restart();
  await platform.worker.start();
  await eventually('everybody has a confirmation', () => PEOPLE.every((email) => platform.arrived(email).length > 0));
  await Promise.all(PEOPLE.map(ask));
  for (const email of PEOPLE)
    expect([email, new Set(platform.messageIds(email)).size, await stored.emails.count({ to: email })]).toEqual([email, 1, 1]);

  await Promise.all(PEOPLE.map(confirm));
  await platform.worker.kill9();
  await platform.worker.start();
  const kinds = ['requested', 'confirmed'];
  for (const email of PEOPLE) {
    const contact = await platform.get(`/v1/contacts/${email}`);
    expect(contact.body.data).toMatchObject({ email, subscribed: true });
    const { body } = await platform.get(`/v1/contacts/${email}/consent`);
    expect((body.data as { kind: string }[]).map(({ kind }) => kind)).toEqual(expect.arrayContaining(kinds));
  }
  await eventually('no opt-in is pending', async () => (await stored.optIns.count({ status: 'pending' })) === 0);
});
