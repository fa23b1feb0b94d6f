import { aProject } from '../../../support/platform/app';
import { storeEmail } from '../../../support/data/email-rows';
import { queryPlans } from '../../../support/checks/query-plans';
import { contactCalls } from './calls';
import { stored } from '../../../support/data/stored';
import { storeContacts, freshAddress } from '../../../support/data/people';

const app = aProject();

const { api, upsert, get, emitted } = contactCalls(() => app);
const bulk = async (given: object) => (await api().post('/v1/contacts/bulk').send(given).expect(200)).body.data as unknown;
const suppress = (email: string, reason: string) => api().post('/v1/suppressions').send({ email, reason });
const reasonOf = async (email: string): Promise<string | null> => {
  const { body } = await api().get('/v1/suppressions/check').query({ email }).expect(200);
  return (body.data.suppression?.reason ?? null) as string | null;
};
const names = async (contactId: string) => (await emitted(contactId)).map(({ name }) => name).slice(1);

test('a bulk call unsubscribes and subscribes; a repetition changes nothing', async () => {
  const [first, second] = [await upsert(freshAddress()), await upsert(freshAddress())];
  const contactIds = [first.contactId, second.contactId, first.contactId, 'ctc_unknown'];
  expect(await bulk({ action: 'unsubscribe', contactIds })).toEqual({ matched: 2, changed: 2, missing: ['ctc_unknown'] });
  expect((await stored.contacts.one(first.contactId))?.optedOutAt).toBeInstanceOf(Date);
  expect(await reasonOf(first.email)).toBeNull();
  const unsubscribed = await get(first.contactId);
  expect(unsubscribed.subscribed).toBe(false);
  expect(await bulk({ action: 'unsubscribe', contactIds })).toEqual({ matched: 2, changed: 0, missing: ['ctc_unknown'] });
  expect(await get(first.contactId)).toEqual(unsubscribed);
  expect(await names(first.contactId)).toEqual(['contact.updated', 'contact.unsubscribed']);
  const emails = [second.email.toUpperCase(), 'Nobody@Example.com'];
  expect(await bulk({ action: 'subscribe', emails })).toEqual({ matched: 1, changed: 1, missing: ['nobody@example.com'] });
  expect(await names(second.contactId)).toEqual(['contact.updated', 'contact.unsubscribed', 'contact.updated', 'contact.subscribed']);
  expect((await get(first.contactId)).subscribed).toBe(false);
});

test('subscribing contacts in bulk forgets opt-outs and no other suppression', async () => {
  const [optedOut, hidden, blocked] = [await upsert(freshAddress()), await upsert(freshAddress()), await upsert(freshAddress())];
  await suppress(optedOut.email, 'unsubscribe').expect(201);
  await suppress(hidden.email, 'unsubscribe').expect(201);
  for (const { email } of [hidden, blocked]) await suppress(email, 'hard_bounce').expect(201);
  const emails = [optedOut, hidden, blocked].map(({ email }) => email);
  expect(await bulk({ action: 'subscribe', emails })).toEqual({ matched: 3, changed: 0, missing: [] });
  expect(await Promise.all(emails.map(reasonOf))).toEqual([null, 'hard_bounce', 'hard_bounce']);
});

test('a bulk call suppresses for the reason that it gives, and gives none with another action', async () => {
  const emails = ['one@reasons.example', 'two@reasons.example'];
  expect(await bulk({ action: 'suppress', emails, reason: 'hard_bounce' })).toMatchObject({ changed: 2 });
  expect(await bulk({ action: 'suppress', emails, reason: 'hard_bounce' })).toMatchObject({ changed: 0 });
  const { body } = await api().get('/v1/suppressions').query({ search: 'reasons.example' }).expect(200);
  expect((body.data as readonly { readonly reason: string }[]).map(({ reason }) => reason)).toEqual(['hard_bounce', 'hard_bounce']);
  const refused = await api().post('/v1/contacts/bulk').send({ action: 'unsubscribe', emails, reason: 'manual' }).expect(422);
  expect(refused.body.details).toMatchObject([{ path: 'reason', code: 'invalid_combination' }]);
});

test('a bulk call suppresses addresses, also without a contact, and leaves what is suppressed', async () => {
  const [fresh, optedOut, blocked] = [await upsert(freshAddress()), await upsert(freshAddress()), await upsert(freshAddress())];
  await suppress(optedOut.email, 'unsubscribe').expect(201);
  await suppress(blocked.email, 'complaint').expect(201);
  const stranger = freshAddress();
  const emails = [fresh, optedOut, blocked].map(({ email }) => email);
  expect(await bulk({ action: 'suppress', emails: [...emails, stranger] })).toEqual({ matched: 4, changed: 3, missing: [] });
  expect(await Promise.all([...emails, stranger].map(reasonOf))).toEqual(['manual', 'manual', 'complaint', 'manual']);
  await api()
    .get(`/v1/contacts/${encodeURIComponent(stranger)}`)
    .expect(404);
  expect(await bulk({ action: 'suppress', emails: [stranger, stranger] })).toEqual({ matched: 1, changed: 0, missing: [] });
  expect(await bulk({ action: 'suppress', contactIds: [fresh.contactId] })).toEqual({ matched: 1, changed: 0, missing: [] });
  expect((await get(fresh.contactId)).subscribed).toBe(true);
  await api()
    .delete(`/v1/suppressions/${encodeURIComponent(optedOut.email)}`)
    .expect(200);
  expect(await reasonOf(optedOut.email)).toBe('unsubscribe');
});

test('a bulk call deletes a thousand contacts in a few queries', async () => {
  const made = Array.from({ length: 990 }, (_, index) => [`bulk${index}@example.com`, { _id: `ctc_bulk${index}` }] as const);
  const ids = await storeContacts(app.keys.projectId, made);
  const sent = await storeEmail(app.keys.projectId, { contactId: 'ctc_bulk7' });
  const contactIds = [...ids, ...Array.from({ length: 10 }, (_, index) => `ctc_none${index}`)];
  let result: unknown;
  const plans = await queryPlans('contacts', async () => {
    result = await bulk({ action: 'delete', contactIds });
  });
  expect(result).toEqual({ matched: 990, changed: 990, missing: contactIds.slice(990) });
  expect(plans.length).toBeLessThanOrEqual(15);
  for (const { plan } of plans) expect(plan).toMatch(/IXSCAN|IDHACK/);
  expect(await stored.contacts.count({ _id: { $in: contactIds } })).toBe(0);
  expect(await stored.events.count({ name: 'contact.deleted', contactId: { $in: contactIds } })).toBe(990);
  expect(await stored.contactErasures.count({ contactId: { $in: contactIds } })).toBe(990);
  expect((await stored.emails.one(sent._id))?.contactId).toBeNull();
});

test('bulk calls at the same time have one outcome for each contact', async () => {
  const contacts = await Promise.all(Array.from({ length: 20 }, () => upsert(freshAddress())));
  const contactIds = contacts.map(({ contactId }) => contactId);
  const results = (await Promise.all(Array.from({ length: 6 }, () => bulk({ action: 'unsubscribe', contactIds })))) as {
    changed: number;
  }[];
  expect(results.reduce((sum, { changed }) => sum + changed, 0)).toBe(20);
  for (const contactId of contactIds) expect(await names(contactId)).toEqual(['contact.updated', 'contact.unsubscribed']);
});

const addresses = (total: number) => Array.from({ length: total }, (_, index) => `a${index}@example.com`);

test.each<[string, object, string, string]>([
  ['neither ids nor addresses', { action: 'subscribe' }, 'contactIds', 'invalid_combination'],
  ['both', { action: 'subscribe', contactIds: ['a'], emails: ['a@example.com'] }, 'contactIds', 'invalid_combination'],
  ['both, and no action', { contactIds: ['a'], emails: ['a@example.com'] }, 'contactIds', 'invalid_combination'],
  ['none', { action: 'subscribe', contactIds: [] }, 'contactIds', 'too_small'],
  ['too many', { action: 'subscribe', emails: addresses(1_001) }, 'emails', 'too_big'],
  ['another action', { action: 'other', contactIds: ['a'] }, 'action', 'invalid_enum_value'],
  ['what is no address', { action: 'delete', emails: ['none'] }, 'emails.0', 'invalid_string'],
  ['what is no id', { action: 'delete', contactIds: ['not an id'] }, 'contactIds.0', 'invalid_string'],
  ['an operator', { action: 'delete', contactIds: [{ $ne: 1 }] }, 'contactIds.0.$ne', 'reserved_name'],
  ['an unknown member', { action: 'delete', contactIds: ['a'], all: true }, 'all', 'unrecognized_keys'],
])('a bulk call refuses %s', async (_name, given, path, code) => {
  const { body } = await api().post('/v1/contacts/bulk').send(given).expect(422);
  expect(body.code).toBe('validation_error');
  expect(body.details).toContainEqual(expect.objectContaining({ path, code }));
});
