import { aProject } from '../../../support/platform/app';
import { importCsv, upload } from '../../../support/calls/imports';
import { eventually } from '../../../support/platform/platform';
import { stored } from '../../../support/data/stored';

const app = aProject();

beforeEach(async () => {
  await Promise.all([stored.contacts.remove(), stored.events.remove()]);
});

const api = (key?: string) => app.api(key);
const contact = (email: string) => stored.contacts.one({ email });
const upsert = (body: object) => api().post('/v1/contacts').send(body);
const refused = async (csv: string | Buffer): Promise<{ code: string; message: string; path: string }[]> => {
  const { body } = await api().post('/v1/contacts/import').set('Content-Type', 'text/csv').send(csv).expect(422);
  expect(body).toMatchObject({ success: false, code: 'validation_error', error: expect.any(String) });
  return body.details as { code: string; message: string; path: string }[];
};

describe('an accepted file', () => {
  test('is a queued job, and a workflow is wanted', async () => {
    const { body, status } = await api().post('/v1/contacts/import').set('Content-Type', 'text/csv').send('email\na@x.de\n');
    expect(status).toBe(202);
    expect(body).toEqual({
      success: true,
      data: {
        importId: expect.stringMatching(/^imp_/),
        status: 'queued',
        totalRows: null,
        processed: 0,
        created: 0,
        updated: 0,
        skipped: 0,
        failed: 0,
        columns: [{ header: 'email', field: 'email' }],
        errors: [],
        error: null,
        createdAt: expect.stringMatching(/Z$/),
        startedAt: null,
        finishedAt: null,
      },
    });
    const { importId } = body.data as { importId: string };
    expect(app.processes.start).toHaveBeenCalledWith({
      kind: 'start',
      workflow: 'contactImport',
      workflowId: `contact-import/${importId}`,
      input: { importId, projectId: app.keys.projectId },
      summary: expect.any(String),
      attributes: { projectId: app.keys.projectId },
      lasts: true,
    });
    await eventually('the intent is cleared', async () => (await stored.outbox.count({ _id: `contact-import/${importId}` })) === 0);
    expect((await api().get(`/v1/contacts/import/${importId}`).expect(200)).body).toEqual(body);
  });

  test('is accepted while Temporal is away: the wish stays', async () => {
    app.processes.start.mockRejectedValueOnce(new Error('away'));
    const { importId } = await upload(app, 'email\na@x.de\n');
    expect(await stored.outbox.count({ _id: `contact-import/${importId}` })).toBe(1);
  });

  test('is hidden from other projects', async () => {
    const { importId } = await upload(app, 'email\na@x.de\n');
    await api(app.otherKeys.secret).get(`/v1/contacts/import/${importId}`).expect(404);
    await api().get('/v1/contacts/import/imp_unknown').expect(404);
    await api().get('/v1/contacts/import/a.b').expect(422);
  });

  test('is in a list to come back to, newest first, which each project has of its own', async () => {
    await stored.imports.remove();
    const done = await importCsv(app, 'email\na@x.de\nbad\n');
    const { importId: waiting } = await upload(app, 'email\na@x.de\n');
    const imports = async (query: object, key?: string) => (await api(key).get('/v1/contacts/import').query(query).expect(200)).body;
    const { errors, columns, ...summary } = done;
    expect([errors, columns]).toMatchObject([[{ row: 2 }], [{ header: 'email', field: 'email' }]]);
    const first = await imports({ limit: 1 });
    expect(first.data).toMatchObject([{ importId: waiting, status: 'queued' }]);
    expect(await imports({ limit: 1, cursor: first.nextCursor })).toEqual({ success: true, data: [summary], nextCursor: null });
    expect((await imports({}, app.otherKeys.secret)).data).toEqual([]);
  });

  test('makes contacts of its rows, counts each row once, and is deleted at the end', async () => {
    const job = await importCsv(app, 'Email;First Name;plan\nA@x.de;Ada;12\n\nbad;;\na@x.de;Eve;013\nb@x.de;;true\n');
    expect(job).toMatchObject({
      status: 'completed',
      totalRows: 4,
      processed: 4,
      created: 2,
      updated: 0,
      skipped: 1,
      failed: 1,
      error: null,
    });
    expect(job.errors).toEqual([{ row: 2, email: 'bad', message: 'Not an e-mail address' }]);
    expect([job['startedAt'], job['finishedAt']]).toEqual([expect.any(String), expect.any(String)]);
    expect(await contact('a@x.de')).toMatchObject({ firstName: 'Eve', lastName: null, subscribed: true, data: { plan: '013' } });
    expect(await contact('b@x.de')).toMatchObject({ firstName: null, data: { plan: true } });
    expect(await stored.importPieces.count({ _id: { $regex: `^${job.importId}` } })).toBe(0);
    const events = await stored.events.all({ name: 'contact.created' });
    expect(events.map(({ enrols, data }) => ({ enrols, data }))).toEqual(Array(2).fill({ enrols: false, data: { source: 'import' } }));
  });

  test('merges: empty cells leave values alone; nothing changed, nothing emitted', async () => {
    await upsert({ email: 'a@x.de', firstName: 'Ada', data: { plan: '12', age: 3, list: [1] } }).expect(201);
    const before = await contact('a@x.de');
    const emitted = await stored.events.count();
    const same = await importCsv(app, 'email,firstName,lastName,plan,age,list,subscribed\na@x.de,,,12,3,[1],1\n');
    expect(same).toMatchObject({ updated: 1, created: 0, processed: 1 });
    expect(await contact('a@x.de')).toEqual(before);
    expect(await stored.events.count()).toBe(emitted);

    await importCsv(app, 'email,lastName,plan,age\na@x.de,Byron,,4\n');
    expect(await contact('a@x.de')).toMatchObject({ firstName: 'Ada', lastName: 'Byron', data: { plan: '12', age: 4, list: [1] } });
    const updated = await stored.events.one({ name: 'contact.updated' });
    expect(updated).toMatchObject({ enrols: false, data: { source: 'import', changed: ['lastName', 'data.age'] } });
  });

  test('counts fields', async () => {
    await importCsv(app, 'email,imported_number\na@x.de,1\nb@x.de,2\nc@x.de,\n');
    const { body } = await api().get('/v1/contacts/fields').expect(200);
    expect(body.data.data).toContainEqual({ field: 'imported_number', type: 'number', count: 2 });
  });

  test('enrols with ?trigger=true; of a test key it is in test mode', async () => {
    await importCsv(app, 'email\na@x.de\n', '?trigger=true', app.keys.test);
    const event = await stored.events.one({ name: 'contact.created' });
    expect(event).toMatchObject({ testMode: true, data: { testMode: true } });
    expect(event).not.toHaveProperty('enrols');
  });

  test('keeps the first 100 errors, in the order of the rows', async () => {
    const job = await importCsv(app, `email\n${Array.from({ length: 150 }, (_, n) => `bad ${n}`).join('\n')}\n`);
    expect(job).toMatchObject({ failed: 150, processed: 150, status: 'completed' });
    expect(job.errors.map(({ row }) => row)).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
  });

  test('counts rows from the first data row, however many lines they take, and names what is no address', async () => {
    const long = 'x'.repeat(300);
    const csv = `\ufeffemail,note\r\nfirst,"two\r\nlines"\r\n\r\na@x.de,\r\n, \r\n" Second@ ","x"\r\n${long},\r\n`;
    const job = await importCsv(app, csv);
    expect(job).toMatchObject({ totalRows: 5, created: 1, failed: 4 });
    expect(job.errors).toEqual([
      { row: 1, email: 'first', message: 'Not an e-mail address' },
      { row: 3, email: null, message: 'The row has no address' },
      { row: 4, email: 'Second@', message: 'Not an e-mail address' },
      { row: 5, email: 'x'.repeat(254), message: 'Not an e-mail address' },
    ]);
  });

  test('may have no rows at all', async () => {
    expect(await importCsv(app, 'email')).toMatchObject({ status: 'completed', totalRows: 0, processed: 0 });
  });

  test('a row that cannot be used supersedes none', async () => {
    const job = await importCsv(app, 'email,subscribed,firstName\na@x.de,,Ada\na@x.de,maybe,Eve\n');
    expect(job).toMatchObject({ created: 1, failed: 1, skipped: 0 });
    expect(await contact('a@x.de')).toMatchObject({ firstName: 'Ada' });
  });
});

describe('files of all sorts', () => {
  test.each([
    ['BOM and CRLF', '\ufeffemail,firstName\r\na@x.de,Ada\r\n', {}],
    ['semicolons', 'email;firstName\na@x.de;Ada\n', {}],
    ['tabs', 'email\tfirstName\na@x.de\tAda', {}],
    ['quotes over lines', 'email,note,firstName\na@x.de,"one\r\n""two"", three",Ada\n', { data: { note: 'one\r\n"two", three' } }],
    ['CR only', 'email,firstName\ra@x.de,Ada\r', {}],
    ['line ends mixed', 'email,firstName\r\nb@x.de,Bob\ra@x.de,Ada\n', {}],
  ])('%s', async (_name, csv, more) => {
    expect(await importCsv(app, csv)).toMatchObject({ status: 'completed', failed: 0 });
    expect(await contact('a@x.de')).toMatchObject({ firstName: 'Ada', ...more });
  });

  test('Latin-1 bytes fail their row, a cell of 10 MB its own, and the file goes on', async () => {
    const csv = Buffer.concat([
      Buffer.from('email,firstName\na@x.de,'),
      Buffer.from('Jos\xe9', 'latin1'),
      Buffer.from(`\nb@x.de,"${'x'.repeat(10_000_000)}"\nc@x.de,Carl\n`),
    ]);
    const job = await importCsv(app, csv);
    expect(job).toMatchObject({ status: 'completed', totalRows: 3, created: 1, failed: 2 });
    expect(job.errors).toEqual([
      { row: 1, email: 'a@x.de', message: 'The row is not UTF-8' },
      { row: 2, email: 'b@x.de', message: 'A cell is longer than 32 KiB' },
    ]);
    expect(await contact('c@x.de')).toMatchObject({ firstName: 'Carl' });
  });

  test('data that would be too much for a contact fails the row', async () => {
    await upsert({ email: 'a@x.de', data: { big: 'x'.repeat(20_000) } }).expect(201);
    const job = await importCsv(app, `email,more\na@x.de,${'y'.repeat(20_000)}\n`);
    expect(job).toMatchObject({ failed: 1, updated: 0 });
    expect(job.errors[0]).toMatchObject({ row: 1, email: 'a@x.de', message: expect.stringContaining('32768') });
    expect(Object.keys((await contact('a@x.de'))?.data ?? {})).toEqual(['big']);
  });

  test('values are values: no operator, no formula, no prototype', async () => {
    const hostile = '{"$gt":""}';
    await importCsv(app, `email,firstName,note\na@x.de,"=HYPERLINK(""x"")","{""$gt"":""""}"\n`);
    expect(await contact('a@x.de')).toMatchObject({ firstName: '=HYPERLINK("x")', data: { note: hostile } });
  });

  test.each([
    ['no email column', 'name\nAda\n', 'invalid_type', 'The file has no column “email”'],
    ['a header twice', 'email,E mail\n', 'invalid_combination', 'The header “E mail” is given twice'],
    ['a header that is no field', 'email,data.a b\n', 'invalid_string', expect.stringContaining('“data.a b”')],
    ['nothing in it', '', 'too_small', expect.stringContaining('empty')],
    ['only a BOM', '\ufeff\n', 'too_small', expect.stringContaining('empty')],
    ['a Latin-1 header', Buffer.from('email,pr\xe9nom\n', 'latin1'), 'invalid_string', expect.stringContaining('UTF-8')],
  ])('%s is refused', async (_name, csv, code, message) => {
    const jobs = await stored.imports.count();
    expect(await refused(csv)).toEqual([{ path: 'file', code, message }]);
    expect(await stored.imports.count()).toBe(jobs);
    expect(await stored.importPieces.count({ createdAt: { $gt: new Date(Date.now() - 500) } })).toBe(0);
  });

  test('a refusal is answered after a long upload as well', async () => {
    expect(await refused(`name\n${'Ada\n'.repeat(500_000)}`)).toMatchObject([{ code: 'invalid_type' }]);
  });
});

describe('those who opted out', () => {
  const csv = 'email,firstName,subscribed\na@x.de,Ada,true\n';

  test('by an explicit false stay so; the other cells are taken', async () => {
    await upsert({ email: 'a@x.de', subscribed: false }).expect(201);
    expect(await importCsv(app, csv)).toMatchObject({ updated: 1 });
    expect(await contact('a@x.de')).toMatchObject({ subscribed: false, firstName: 'Ada', optedOutAt: expect.any(Date) });
  });

  test('by a row of an import stay so in the next', async () => {
    await upsert({ email: 'a@x.de' }).expect(201);
    await importCsv(app, 'email,subscribed\na@x.de,no\n');
    expect(await contact('a@x.de')).toMatchObject({ subscribed: false, optedOutAt: expect.any(Date) });
    await importCsv(app, csv);
    expect(await contact('a@x.de')).toMatchObject({ subscribed: false });
    const names = (await stored.events.all({ name: /subscribed$/ })).map(({ name }) => name);
    expect(names).toEqual(['contact.unsubscribed']);
  });

  test.each(['unsubscribe', 'complaint'])('and have a record %s, even without a contact', async (reason) => {
    const email = `${reason}@x.de`;
    await api().post('/v1/suppressions').send({ email, reason }).expect(201);
    await importCsv(app, csv.replace('a@x.de', email));
    expect(await contact(email)).toMatchObject({ subscribed: false, firstName: 'Ada' });
    await api().delete(`/v1/suppressions/${email}`).expect(200);
    await importCsv(app, csv.replace('a@x.de', email));
    expect(await contact(email)).toMatchObject({ subscribed: false });
  });

  test('are not those who were never asked', async () => {
    const projectId = app.keys.projectId;
    await upsert({ email: 'a@x.de' }).expect(201);
    await stored.contacts.change({ email: 'a@x.de', projectId }, { subscribed: false, optedOutAt: null });
    await importCsv(app, 'email,subscribed\na@x.de,false\n');
    expect(await contact('a@x.de')).toMatchObject({ subscribed: false, optedOutAt: null });
    await importCsv(app, 'email,subscribed\na@x.de,\n');
    expect(await contact('a@x.de')).toMatchObject({ subscribed: false });
    await importCsv(app, csv);
    expect(await contact('a@x.de')).toMatchObject({ subscribed: true });
  });
});
