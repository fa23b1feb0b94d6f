import { aProject } from '../../../support/platform/app';
import { importCsv } from '../../../support/calls/imports';
import { stored } from '../../../support/data/stored';

const app = aProject();

beforeEach(async () => {
  await Promise.all([stored.contacts.remove(), stored.events.remove()]);
});

const contact = (email: string) => stored.contacts.one({ email });

test('a file of another service is taken as it is, and the job says what became of its columns', async () => {
  const csv = 'sep=;\r\nE-Mail;Vorname;Company Name;Prénom;;Created At;2nd;\r\na@x.de;Ada;ACME;Zoë;;2024-01-01;x;\r\n';
  const job = await importCsv(app, csv);
  expect(job).toMatchObject({ status: 'completed', created: 1, failed: 0 });
  const columns = [
    { header: 'E-Mail', field: 'email' },
    { header: 'Vorname', field: 'data.Vorname' },
    { header: 'Company Name', field: 'data.Company_Name' },
    { header: 'Prénom', field: 'data.Prenom' },
    { header: '', field: null },
    { header: 'Created At', field: null },
    { header: '2nd', field: 'data._2nd' },
    { header: '', field: null },
  ];
  expect((await app.api().get(`/v1/contacts/import/${job.importId}`).expect(200)).body.data).toMatchObject({ columns });
  expect((await app.api().get('/v1/contacts/import').expect(200)).body.data[0]).not.toHaveProperty('columns');
  expect(await contact('a@x.de')).toMatchObject({ data: { Vorname: 'Ada', Company_Name: 'ACME', Prenom: 'Zoë', _2nd: 'x' } });
});

test('a cell below no header fails its row alone', async () => {
  const job = await importCsv(app, 'email,,plan\na@x.de,,pro\nb@x.de,7,pro\n');
  expect(job).toMatchObject({ created: 1, failed: 1, errors: [{ row: 2, email: 'b@x.de', message: expect.stringContaining('"7"') }] });
});

test('what spreadsheets make of values: booleans in capitals, locales with _, blanks before quotation marks', async () => {
  const csv = 'email,locale,timezone,vip,name\na@x.de,en_US,Europe/Vienna,TRUE, "Doe, Jane"\nb@x.de,no locale,no zone,False,"x"\n';
  expect(await importCsv(app, csv)).toMatchObject({ created: 2, failed: 0 });
  expect(await contact('a@x.de')).toMatchObject({ locale: 'en-US', timezone: 'Europe/Vienna', data: { vip: true, name: 'Doe, Jane' } });
  expect(await contact('b@x.de')).toMatchObject({ locale: null, timezone: null, data: { vip: false, name: 'x' } });
});

const utf16 = (text: string, isBigEndian: boolean): Buffer => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return isBigEndian ? bytes.swap16() : bytes;
};

test.each([
  ['UTF-16, little end first', (text: string) => utf16(text, false)],
  ['UTF-16, big end first', (text: string) => utf16(text, true)],
  ['UTF-8 with a byte order mark', (text: string) => Buffer.from(`\ufeff${text}`)],
])('%s is read', async (_case, encoded) => {
  const rows = Array.from({ length: 3_000 }, (_, n) => `user-${n}@x.de\tJosé 😀 ${n}\r\n`).join('');
  expect(await importCsv(app, encoded(`email\tfirstName\r\n${rows}`))).toMatchObject({ created: 3_000, failed: 0 });
  expect(await contact('user-2999@x.de')).toMatchObject({ firstName: 'José 😀 2999' });
});

test.each([[[0x65]], [[0xff]], [[0xff, 0xfe]], [[0xff, 0xfe, 0x65]]])('a file of the bytes %j is refused', async (bytes) => {
  const { body } = await app.api().post('/v1/contacts/import').set('Content-Type', 'text/csv').send(Buffer.from(bytes)).expect(422);
  expect(body.details[0]).toMatchObject({ path: 'file' });
});

test('an export that was saved by a spreadsheet in UTF-16 changes nothing', async () => {
  await app
    .api()
    .post('/v1/contacts')
    .send({ email: 'a@x.de', firstName: 'Zoë', locale: 'en-GB', data: { a: '12', b: 'TRUE', c: true, d: ' "x" ' } });
  const before = await contact('a@x.de');
  const { text } = await app.api().get('/v1/contacts/export').expect(200);
  expect(text.startsWith('\ufeffemail,')).toBe(true);
  for (const file of [Buffer.from(text), Buffer.from(text, 'utf16le')]) {
    expect(await importCsv(app, file)).toMatchObject({ updated: 1, failed: 0 });
    expect(await contact('a@x.de')).toEqual(before);
  }
});
