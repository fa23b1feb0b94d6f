import { aProject } from '../../support/platform/app';

const app = aProject();

test('no cache keeps what a key opens, or does not open', async () => {
  const { body } = await app.api().post('/v1/contacts').send({ email: 'a@example.com' }).expect(201);
  const path = `/v1/contacts/${body.data.contactId as string}`;
  for (const answer of [
    await app.api(null).get(path).set('X-API-Key', app.keys.secret).expect(200),
    await app.api().get('/v1/contacts/export').expect(200),
    await app.api().get('/v1/contacts/ctc_unknown').expect(404),
    await app.api(null).get(path).expect(401),
  ]) {
    expect(answer.headers['cache-control']).toBe('no-store');
  }
});
