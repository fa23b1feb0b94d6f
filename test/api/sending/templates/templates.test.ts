import { aProject } from '../../../support/platform/app';
import { queryPlans } from '../../../support/checks/query-plans';
import { stored } from '../../../support/data/stored';

const app = aProject();

const api = (key?: string) => app.api(key);

const BODY = { name: 'Welcome', subject: 'Hello {{firstName}}', body: '<p>Hi {{firstName | "there"}}</p>', fromEmail: 'Team@Hello.test' };

async function create(change: object = {}): Promise<{ templateId: string; [member: string]: unknown }> {
  const { body } = await api()
    .post('/v1/templates')
    .send({ ...BODY, ...change })
    .expect(201);
  return body.data;
}

describe('create and read', () => {
  test('answers with the whole template at version 1', async () => {
    const made = await create({ fromName: 'The team' });
    expect(made).toEqual({
      templateId: expect.stringMatching(/^tpl_[0-9a-z]{26}$/),
      projectId: app.keys.projectId,
      name: 'Welcome',
      type: 'transactional',
      subject: BODY.subject,
      body: BODY.body,
      fromName: 'The team',
      fromEmail: 'team@hello.test',
      version: 1,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: made['createdAt'],
    });
    const { body } = await api().get(`/v1/templates/${made.templateId}`).expect(200);
    expect(body).toEqual({ success: true, data: made });
  });

  test('refuses a syntax error with its place', async () => {
    const { body } = await api()
      .post('/v1/templates')
      .send({ ...BODY, subject: '{{#if a}}', body: '<p>\n<b>{{#if b}}</p>' })
      .expect(422);
    expect(body).toMatchObject({ success: false, code: 'validation_error' });
    expect(body.details).toEqual([
      { path: 'subject', code: 'invalid_template', message: expect.stringMatching(/line 1, column \d+/) },
      { path: 'body', code: 'invalid_template', message: expect.stringMatching(/line 2, column \d+/) },
    ]);
  });

  test('refuses unknown fields and bad values, all at once', async () => {
    const variants = { de: { subject: '{{', body: 5 }, 'no language': { subject: 'a', body: 'b' } };
    const { body } = await api()
      .post('/v1/templates')
      .send({ name: '', type: 'other', subject: 'a\nb', body: 'x', fromEmail: 'no', extra: 1, variants })
      .expect(422);
    const details = body.details as { path: string; code: string }[];
    expect(details.map(({ path, code }) => [path, code]).sort()).toEqual([
      ['extra', 'unrecognized_keys'],
      ['fromEmail', 'invalid_string'],
      ['name', 'too_small'],
      ['subject', 'invalid_string'],
      ['type', 'invalid_enum_value'],
      ['variants.de.body', 'invalid_type'],
      ['variants.de.subject', 'invalid_template'],
      ['variants.no language', 'invalid_string'],
    ]);
  });

  test('asks for a key', async () => {
    await api(app.keys.public).get('/v1/templates').expect(401);
  });
});

describe('list', () => {
  test('shows all, newest first, by type and by part of the name', async () => {
    const first = await create({ name: 'List one (a.b)', type: 'marketing' });
    const second = await create({ name: 'LIST two' });
    const ids = async (query: string): Promise<string[]> => {
      const { body } = await api().get(`/v1/templates${query}`).expect(200);
      expect(body).toEqual({ success: true, data: { data: expect.any(Array) } });
      return (body.data.data as { templateId: string }[]).map(({ templateId }) => templateId);
    };
    expect((await ids('')).slice(0, 2)).toEqual([second.templateId, first.templateId]);
    expect(await ids('?search=list')).toEqual([second.templateId, first.templateId]);
    expect(await ids('?search=list&type=marketing')).toEqual([first.templateId]);
    expect(await ids('?search=(A.b)')).toEqual([first.templateId]);
    expect(await ids('?search=.*')).toEqual([]);
    expect(await ids('?search=%00')).toEqual([]);
    await api().get('/v1/templates?type=other').expect(422);
  });

  test('reads along an index, without sorting', async () => {
    const plans = await queryPlans('templates', async () => {
      await api().get('/v1/templates').expect(200);
      await api().get('/v1/templates?type=marketing&search=x').expect(200);
    });
    expect(plans.length).toBeGreaterThan(1);
    for (const { plan, sorted } of plans) expect({ plan, sorted }).toEqual({ plan: expect.stringContaining('IXSCAN'), sorted: false });
  });
});

describe('patch', () => {
  test('makes a version of other content only', async () => {
    const { templateId, updatedAt } = await create();
    const patch = async (change: object) => (await api().patch(`/v1/templates/${templateId}`).send(change).expect(200)).body.data;
    expect(await patch({})).toMatchObject({ version: 1, updatedAt });
    expect(await patch({ subject: BODY.subject, fromEmail: 'team@hello.test' })).toMatchObject({ version: 1, updatedAt });
    expect(await patch({ name: 'Renamed', type: 'marketing' })).toMatchObject({ version: 1, name: 'Renamed', type: 'marketing' });
    expect(await patch({ subject: 'New' })).toMatchObject({ version: 2, subject: 'New', body: BODY.body, name: 'Renamed' });
    expect(await patch({ body: '<p>New</p>' })).toMatchObject({ version: 3 });
    expect(await patch({ fromName: 'Someone' })).toMatchObject({ version: 4 });
    expect(await patch({ fromName: null })).toMatchObject({ version: 5, fromName: null });
    expect(await patch({ fromEmail: 'other@hello.test', name: 'Again' })).toMatchObject({ version: 6, name: 'Again' });
    const { body } = await api().get(`/v1/templates/${templateId}/versions`).expect(200);
    expect((body.data.data as { version: number }[]).map(({ version }) => version)).toEqual([6, 5, 4, 3, 2, 1]);
    expect(body.data.data[4]).toEqual({
      templateId,
      version: 2,
      subject: 'New',
      body: BODY.body,
      fromName: null,
      fromEmail: 'team@hello.test',
      createdAt: expect.any(String),
    });
  });

  test('refuses a syntax error and changes nothing', async () => {
    const { templateId } = await create();
    const { body } = await api().patch(`/v1/templates/${templateId}`).send({ name: 'Kept out', body: '{{#if a}}' }).expect(422);
    expect(body.details).toEqual([expect.objectContaining({ path: 'body', code: 'invalid_template' })]);
    const { body: after } = await api().get(`/v1/templates/${templateId}`);
    expect(after.data).toMatchObject({ name: 'Welcome', version: 1 });
  });

  test('fifty at once use each number once and lose no field', async () => {
    const { templateId } = await create();
    const changes = Array.from({ length: 50 }, (_, index) =>
      index % 2 === 0 ? { subject: `Subject ${index}` } : { body: `<p>Body ${index}</p>`, ...(index === 25 && { fromName: 'Kept' }) },
    );
    const answers = await Promise.all(changes.map((change) => api().patch(`/v1/templates/${templateId}`).send(change)));
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    const versions = answers.map(({ body }) => body.data.version as number).sort((a, b) => a - b);
    expect(versions).toEqual(Array.from({ length: 50 }, (_, index) => index + 2));
    const { body } = await api().get(`/v1/templates/${templateId}/versions`);
    const rows = body.data.data as { version: number; subject: string; body: string; fromName: string | null }[];
    expect(rows.map(({ version }) => version)).toEqual(Array.from({ length: 51 }, (_, index) => 51 - index));
    for (const [index, row] of rows.slice(0, -1).entries()) {
      const before = rows[index + 1];
      expect([row.subject === before?.subject, row.body === before?.body].sort()).toEqual([false, true]);
    }
    const { body: current } = await api().get(`/v1/templates/${templateId}`);
    expect(current.data).toMatchObject({ version: 51, subject: rows[0]?.subject, body: rows[0]?.body, fromName: 'Kept' });
  });
});

describe('rollback', () => {
  test('makes stored content the next version, the current content too', async () => {
    const { templateId } = await create();
    await api().patch(`/v1/templates/${templateId}`).send({ subject: 'Second', name: 'New name' }).expect(200);
    const back = await api().post(`/v1/templates/${templateId}/rollback`).send({ version: 1 }).expect(200);
    expect(back.body.data).toMatchObject({ version: 3, subject: BODY.subject, name: 'New name' });
    const again = await api().post(`/v1/templates/${templateId}/rollback`).send({ version: 3 }).expect(200);
    expect(again.body.data).toMatchObject({ version: 4, subject: BODY.subject });
  });

  test('knows stored versions only', async () => {
    const { templateId } = await create();
    await api().post(`/v1/templates/${templateId}/rollback`).send({ version: 2 }).expect(404);
    await api().post(`/v1/templates/${templateId}/rollback`).send({ version: 0 }).expect(422);
    await api().post(`/v1/templates/${templateId}/rollback`).send({}).expect(422);
  });
});

describe('duplicate', () => {
  test('copies the current content as version 1', async () => {
    const { templateId } = await create({ type: 'marketing', fromName: 'Me' });
    await api().patch(`/v1/templates/${templateId}`).send({ subject: 'Second' }).expect(200);
    const { body } = await api().post(`/v1/templates/${templateId}/duplicate`).expect(201);
    expect(body.data).toMatchObject({ name: 'Welcome (copy)', type: 'marketing', version: 1, subject: 'Second', fromName: 'Me' });
    expect(body.data.templateId).not.toBe(templateId);
    const { body: versions } = await api().get(`/v1/templates/${body.data.templateId}/versions`);
    expect(versions.data.data).toHaveLength(1);
  });

  test('cuts a long name to fit, between characters', async () => {
    const { templateId } = await create({ name: `${'x'.repeat(192)}😀${'y'.repeat(6)}` });
    const { body } = await api().post(`/v1/templates/${templateId}/duplicate`).send({}).expect(201);
    expect(body.data.name).toBe(`${'x'.repeat(192)} (copy)`);
  });
});

describe('test send', () => {
  const testSend = (id: string, given: object, key = app.keys.test) => api(key).post(`/v1/templates/${id}/test-send`).send(given);

  test('sends the template as it stands, marked in the subject, and makes no contact', async () => {
    const { templateId } = await create({ subject: 'Hello {{name}}', body: '<p>{{name | "you"}}</p>' });
    const { body } = await testSend(templateId, { to: 'Tester@example.com', variables: { name: 'Ada' } }).expect(200);
    expect(body.data).toEqual({ id: expect.stringMatching(/^em_/), to: 'tester@example.com', status: 'sent' });
    const sent = await api().get(`/v1/emails/${body.data.id}`).expect(200);
    expect(sent.body.data).toMatchObject({ subject: '[Test] Hello Ada', body: '<p>Ada</p>', templateId, contactId: null, testMode: true });
  });

  test('goes out to an address that has unsubscribed', async () => {
    const { templateId } = await create({ type: 'marketing' });
    await api().post('/v1/contacts').send({ email: 'out@example.com', subscribed: false }).expect(201);
    await api().post('/v1/suppressions').send({ email: 'out@example.com', reason: 'unsubscribe' }).expect(201);
    expect((await testSend(templateId, { to: 'out@example.com' }).expect(200)).body.data).toMatchObject({ status: 'sent' });
    const sent = await api(app.keys.test).post('/v1/send').send({ to: 'out@example.com', templateId }).expect(200);
    expect(sent.body.data.results).toEqual([{ to: 'out@example.com', skipped: 'unsubscribed' }]);
  });

  test('refuses an unverified sender, a suppressed address and an unknown template', async () => {
    const { templateId } = await create();
    const unverified = await testSend(templateId, { to: 'tester@example.com' }, app.keys.secret).expect(422);
    expect(unverified.body).toMatchObject({ code: 'send_failed', details: [{ path: '', code: 'unverified_domain' }] });
    await api().post('/v1/suppressions').send({ email: 'blocked@example.com' }).expect(201);
    const skipped = await testSend(templateId, { to: 'blocked@example.com' }).expect(422);
    expect(skipped.body).toMatchObject({
      code: 'validation_error',
      details: [{ path: 'to', message: expect.stringContaining('suppressed') }],
    });
    await testSend('tpl_unknown', { to: 'tester@example.com' }).expect(404);
    await testSend(templateId, { to: 'nobody' }).expect(422);
    await testSend(templateId, {}).expect(422);
  });
});

test('delete takes the versions along', async () => {
  const { templateId } = await create();
  const { body } = await api().delete(`/v1/templates/${templateId}`).expect(200);
  expect(body).toEqual({ success: true, data: { success: true } });
  await api().get(`/v1/templates/${templateId}`).expect(404);
  await api().delete(`/v1/templates/${templateId}`).expect(404);
  expect(await stored.templateVersions.count({ templateId })).toBe(0);
});

test("another project's template is not there", async () => {
  const { templateId } = await create();
  const path = `/v1/templates/${templateId}`;
  await api(app.otherKeys.secret).get(path).expect(404);
  await api(app.otherKeys.secret).patch(path).send({ name: 'Taken' }).expect(404);
  await api(app.otherKeys.secret).patch(path).send({}).expect(404);
  await api(app.otherKeys.secret).get(`${path}/versions`).expect(404);
  await api(app.otherKeys.secret).post(`${path}/rollback`).send({ version: 1 }).expect(404);
  await api(app.otherKeys.secret).post(`${path}/duplicate`).expect(404);
  await api(app.otherKeys.secret).post(`${path}/test-send`).send({ to: 'a@example.com' }).expect(404);
  await api(app.otherKeys.secret).delete(path).expect(404);
  const { body } = await api(app.otherKeys.secret).get('/v1/templates').expect(200);
  expect(body.data.data).toEqual([]);
  await api().get(path).expect(200);
  await api().get('/v1/templates/not%20an%20id').expect(422);
});

test('look-ups of a template and its versions use indexes', async () => {
  const { templateId } = await create();
  const work = async (): Promise<void> => {
    await api().get(`/v1/templates/${templateId}/versions`).expect(200);
    await api().post(`/v1/templates/${templateId}/rollback`).send({ version: 1 }).expect(200);
    await api().delete(`/v1/templates/${templateId}`).expect(200);
  };
  const plans = await queryPlans('template_versions', work);
  expect(plans.length).toBeGreaterThanOrEqual(3);
  for (const { plan } of plans) expect(plan).not.toContain('COLLSCAN');
});
