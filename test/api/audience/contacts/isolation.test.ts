import { aProject } from '../../../support/platform/app';
import { contactCalls } from './calls';
import { stored } from '../../../support/data/stored';

const app = aProject();

const { api, upsert, get } = contactCalls(() => app);

test("another project's contacts are not there, and the same address is another contact", async () => {
  const email = 'person@example.com';
  const { contactId } = await upsert(email, { data: { secret: 'x' } });
  const other = api(app.otherKeys.secret);
  for (const which of [contactId, encodeURIComponent(email)]) {
    await other.get(`/v1/contacts/${which}`).expect(404);
    await other.delete(`/v1/contacts/${which}`).expect(404);
    await other.get(`/v1/contacts/${which}/timeline`).expect(404);
  }
  expect((await other.get('/v1/contacts').expect(200)).body).toEqual({ success: true, data: [], nextCursor: null });
  expect((await other.get('/v1/contacts/fields').expect(200)).body.data).toEqual({ data: [] });
  expect((await other.get('/v1/contacts/fields/secret/values').expect(200)).body.data).toEqual({ field: 'secret', data: [] });
  expect((await other.get('/v1/contacts/fields/secret/usage').expect(200)).body.data).toMatchObject({ contacts: 0 });
  expect((await other.delete('/v1/contacts/fields/secret').expect(200)).body.data).toEqual({ field: 'secret', removed: 0 });
  for (const action of ['subscribe', 'unsubscribe', 'suppress', 'delete']) {
    for (const by of [{ contactIds: [contactId] }, { emails: [email] }]) {
      const { body } = await other
        .post('/v1/contacts/bulk')
        .send({ action, ...by })
        .expect(200);
      // An address is suppressed for the project that says so, no matter which project has it as a contact.
      const own = action === 'suppress' && 'emails' in by ? 1 : 0;
      expect(body.data).toMatchObject({ matched: own, changed: own });
    }
  }
  const { contactId: theirs } = await upsert(email, {}, 201, app.otherKeys.secret);
  expect(theirs).not.toBe(contactId);
  expect((await get(contactId)).data).toEqual({ secret: 'x' });
  expect(await stored.events.count({ contactId: theirs, projectId: app.keys.projectId })).toBe(0);
});
