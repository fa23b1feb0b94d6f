import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { run } from '../../../clients/typescript/src/cli/run';
import type { StartIntent } from '../../../src/contracts/processes';
import { carryOut } from '../../support/calls/imports';
import { aProject } from '../../support/platform/app';

/** Exports of other services, as they write them, brought into a project by the command line. */
const app = aProject();
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'lettermill-import-'));
  // Stands for the worker that carries imports out.
  app.processes.start.mockImplementation(({ workflow, input }: StartIntent) =>
    workflow === 'contactImport' ? carryOut(input.importId, input.projectId) : Promise.resolve(),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Answer = Record<string, unknown>;

function exported(name: string, files: Readonly<Record<string, string>>): string {
  const place = path.join(folder, name);
  mkdirSync(place, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(place, file), text);
  return place;
}

async function imported(...args: readonly string[]): Promise<{ readonly code: number; readonly answer: Answer }> {
  let [out, error] = ['', ''];
  const code = await run(['import', ...args, '--json'], {
    env: { LETTERMILL_URL: app.url, LETTERMILL_KEY: app.keys.secret },
    width: null,
    signal: new AbortController().signal,
    out: (text) => void (out += String(text)),
    error: (text) => void (error += text),
    input: () => Promise.resolve(''),
    pieces: () => [] as unknown as AsyncIterable<string>,
    askSecret: () => Promise.resolve(''),
  });
  if (out === '') throw new Error(error);
  return { code, answer: JSON.parse(out) as Answer };
}

const contact = async (email: string): Promise<Answer> => (await app.api().get(`/v1/contacts/${email}`).expect(200)).body.data as Answer;
const reason = async (email: string): Promise<unknown> =>
  ((await app.api().get(`/v1/suppressions/check?email=${email}`).expect(200)).body.data as { suppression: { reason: string } | null })
    .suppression?.reason;
/** Rows of a list that comes whole. */
const rows = async (path: string): Promise<Answer[]> =>
  ((await app.api().get(path).expect(200)).body as { data: { data: Answer[] } }).data.data;
const total = async (): Promise<number> => ((await app.api().get('/v1/contacts?limit=100').expect(200)).body.data as unknown[]).length;

const MAILCHIMP = {
  'subscribed_email_audience_export_1.csv':
    '"Email Address","First Name","Last Name",Company,MEMBER_RATING,TIMEZONE,TAGS\r\nada@mailchimp.example,Ada,Lovelace,"Analytical ""Engines"", Ltd",5,Europe/London,"""VIP"",""Early"""\r\nboth@mailchimp.example,Both,,,2,,\r\n',
  'unsubscribed_email_audience_export_1.csv':
    '"Email Address","First Name",UNSUB_TIME,UNSUB_REASON\r\nleft@mailchimp.example,Left,"2024-01-01 10:00:00",NORMAL\r\nboth@mailchimp.example,Both,,\r\n',
  'nonsubscribed_email_audience_export_1.csv': '"Email Address"\r\nbuyer@mailchimp.example\r\n',
  'cleaned_email_audience_export_1.csv': '"Email Address",CLEAN_TIME\r\ngone@mailchimp.example,"2024-01-01 10:00:00"\r\n',
  'Welcome.html': '<p>Hello *|FNAME|*, *|MMERGE5|*. <a href="*|UNSUB|*">Leave</a></p>',
  'Conditional.html': '<p>*|IF:FNAME|*Hello*|END:IF|*</p>',
  'notes.txt': 'nothing',
};

test('Mailchimp: opt-outs stay, bounces block, tags are segments, fields and templates come along', async () => {
  const place = exported('mailchimp', MAILCHIMP);
  const dry = await imported('mailchimp', place, '--dry-run');
  expect(dry).toMatchObject({
    code: 0,
    answer: {
      contacts: 5,
      optedOut: 3,
      suppressions: { hard_bounce: 1 },
      segments: ['Tag: VIP', 'Tag: Early'],
      customFields: ['Company'],
      templates: ['Welcome'],
      leftOut: [
        { count: 1, reason: 'template "Conditional" uses syntax that has no counterpart' },
        { count: 1, reason: 'file notes.txt: not of a known kind' },
      ],
    },
  });
  expect(await total()).toBe(0);

  const { code, answer } = await imported('mailchimp', place, '--from', 'hello@example.com');
  expect([code, answer['outcome']]).toEqual([
    0,
    { contacts: { created: 5, updated: 0, failed: 0 }, topics: 0, segments: 2, suppressions: 1, templates: 1, problems: [] },
  ]);
  expect(await contact('ada@mailchimp.example')).toMatchObject({
    firstName: 'Ada',
    lastName: 'Lovelace',
    subscribed: true,
    timezone: 'Europe/London',
    data: { Company: 'Analytical "Engines", Ltd' },
  });
  for (const name of ['left', 'both', 'buyer']) expect(await contact(`${name}@mailchimp.example`)).toMatchObject({ subscribed: false });
  expect(await reason('gone@mailchimp.example')).toBe('hard_bounce');
  const [template] = await rows('/v1/templates');
  expect(template).toMatchObject({
    name: 'Welcome',
    body: '<p>Hello {{firstName}}, {{data.MMERGE5}}. <a href="{{unsubscribeUrl}}">Leave</a></p>',
  });
});

test('a second run changes nothing, and brings nobody back who left here', async () => {
  await app.api().post('/v1/contacts').send({ email: 'ada@mailchimp.example', subscribed: false }).expect(200);
  const before = await contact('ada@mailchimp.example');
  const [contacts, events] = [await total(), (await app.api().get('/v1/events?limit=100').expect(200)).body.data as unknown[]];
  const { code, answer } = await imported('mailchimp', path.join(folder, 'mailchimp'), '--from', 'hello@example.com');
  expect([code, answer['outcome']]).toMatchObject([0, { contacts: { created: 0, updated: 5 }, templates: 0, problems: [] }]);
  expect([await contact('ada@mailchimp.example'), await total()]).toEqual([before, contacts]);
  expect(((await app.api().get('/v1/events?limit=100').expect(200)).body.data as unknown[]).length).toBe(events.length);
  const segments = await rows('/v1/segments');
  expect(segments.map(({ name, memberCount }) => [name, memberCount]).sort()).toEqual([
    ['Tag: Early', 1],
    ['Tag: VIP', 1],
  ]);
});

/** A ZIP archive of texts: one of them stored, the others deflated. */
function zipOf(files: Readonly<Record<string, string>>): Buffer {
  const [locals, directory]: [Buffer[], Buffer[]] = [[], []];
  for (const [index, [name, text]] of Object.entries(files).entries()) {
    const [title, plain] = [Buffer.from(name), Buffer.from(text)];
    const packed = index === 0 ? plain : deflateRawSync(plain);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(index === 0 ? 0 : 8, 4);
    head.writeUInt32LE(packed.length, 14);
    head.writeUInt32LE(plain.length, 18);
    head.writeUInt16LE(title.length, 22);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    head.copy(entry, 6);
    entry.writeUInt32LE(Buffer.concat(locals).length, 42);
    locals.push(Buffer.from('PK\u0003\u0004'), head, title, packed);
    directory.push(entry, title);
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(Buffer.concat(locals).length, 16);
  return Buffer.concat([...locals, ...directory, end]);
}

test('an archive is read as the folder that is in it', async () => {
  const place = path.join(folder, 'mailchimp.zip');
  writeFileSync(place, zipOf(Object.fromEntries(Object.entries(MAILCHIMP).map(([name, text]) => [`audience/${name}`, text]))));
  const [packed, plain] = await Promise.all([
    imported('mailchimp', place, '--dry-run'),
    imported('mailchimp', path.join(folder, 'mailchimp'), '--dry-run'),
  ]);
  const named = JSON.parse(JSON.stringify(packed).replaceAll('audience/', '')) as unknown;
  expect(named).toEqual(plain);
  writeFileSync(place, 'PK');
  await expect(imported('mailchimp', place, '--dry-run')).rejects.toThrow('The archive cannot be read');
});

test('listmonk: lists are topics, blocklisted people have opted out, unconfirmed ones join nothing', async () => {
  const lists = [
    { name: 'Monthly news', subscription_status: 'confirmed', optin: 'double' },
    { name: 'Offers', subscription_status: 'unsubscribed', optin: 'single' },
    { name: 'Beta', subscription_status: 'unconfirmed', optin: 'double' },
  ];
  const results = [
    { email: 'Ada@listmonk.example', name: 'Ada King Lovelace', status: 'enabled', attribs: { city: 'London', tags: ['a'] }, lists },
    { email: 'block@listmonk.example', name: '', status: 'blocklisted', attribs: {}, lists: [] },
  ];
  const templates = [
    { name: 'News', subject: 'News for {{ .Subscriber.FirstName }}', body: '<p>{{ .Subscriber.Attribs.city }} {{ UnsubscribeURL }}</p>' },
  ];
  const place = exported('listmonk', {
    'subscribers.json': JSON.stringify({ data: { results } }),
    'templates.json': JSON.stringify({ data: templates }),
    'export.csv':
      'uuid,email,name,attributes,status,created_at,updated_at\nu1,bob@listmonk.example,Bob,"{""age"": 40}",enabled,,\nu2,off@listmonk.example,,{},disabled,,\n',
  });
  const { answer } = await imported('listmonk', place, '--from', 'hello@example.com');
  expect(answer).toMatchObject({
    topics: ['Monthly news', 'Offers'],
    leftOut: [{ count: 1, reason: 'subscription to a list that was never confirmed' }],
    outcome: { contacts: { created: 4 }, topics: 2, templates: 1, problems: [] },
  });
  const ada = await contact('ada@listmonk.example');
  expect(ada).toMatchObject({ firstName: 'Ada', lastName: 'King Lovelace', data: { city: 'London', tags: '["a"]' } });
  const { data } = (
    await app
      .api()
      .get(`/v1/contacts/${ada['contactId'] as string}/topics`)
      .expect(200)
  ).body as { data: { data: Answer[] } };
  expect(data.data.map(({ name, subscribed, explicit }) => [name, subscribed, explicit])).toEqual([
    ['Monthly news', true, true],
    ['Offers', false, true],
  ]);
  expect(await contact('block@listmonk.example')).toMatchObject({ subscribed: false });
  expect(await reason('off@listmonk.example')).toBe('manual');
  expect(await contact('bob@listmonk.example')).toMatchObject({ data: { age: 40 } });
});

test('Resend: unsubscribed contacts and templates with fallbacks', async () => {
  const templates = [
    { name: 'Hi', subject: 'Hi {{{FIRST_NAME|there}}}', html: '<a href="{{{RESEND_UNSUBSCRIBE_URL}}}">{{{contact.plan}}}</a>' },
  ];
  const place = exported('resend', {
    'contacts.csv':
      'id,created_at,first_name,last_name,email,unsubscribed,plan\n1,,Ada,,ada@resend.example,false,pro\n2,,,,left@resend.example,true,\n',
    'templates.json': JSON.stringify({ object: 'list', data: templates }),
  });
  await imported('resend', place, '--from', 'hello@example.com');
  expect(await contact('ada@resend.example')).toMatchObject({ subscribed: true, data: { plan: 'pro' } });
  expect(await contact('left@resend.example')).toMatchObject({ subscribed: false });
  const found = (await rows('/v1/templates')).find(({ name }) => name === 'Hi');
  expect(found).toMatchObject({ subject: 'Hi {{firstName | "there"}}', body: '<a href="{{unsubscribeUrl}}">{{data.plan}}</a>' });
});

test('many suppressions take one call for each thousand, and repeating it changes nothing', async () => {
  const rows = Array.from({ length: 1_001 }, (_, index) => `5.1.1,550,gone${index}@bounces.example,1\n`);
  const place = exported('sendgrid-many', { 'suppression_bounces.csv': `status,reason,email,created\n${rows.join('')}` });
  const called = jest.spyOn(globalThis, 'fetch');
  const { answer } = await imported('sendgrid', place);
  const calls = called.mock.calls.length;
  expect(answer).toMatchObject({ outcome: { suppressions: 1_001, problems: [] } });
  expect(calls).toBeLessThan(10);
  called.mockRestore();
  expect(await reason('gone1000@bounces.example')).toBe('hard_bounce');
  expect((await imported('sendgrid', place)).answer).toMatchObject({ outcome: { suppressions: 1_001, problems: [] } });
});

test('SendGrid: each list of suppressions by its name; blocks pass', async () => {
  const place = exported('sendgrid', {
    'contacts.csv': 'EMAIL,FIRST_NAME,LAST_NAME,CREATED_AT,CONTACT_ID,city\nada@sendgrid.example,Ada,,,1,London\n',
    'suppression_bounces.csv': 'status,reason,email,created\n5.1.1,550,gone@sendgrid.example,1\n',
    'suppression_spam_reports.csv': 'email,ip,created\nangry@sendgrid.example,,1\n',
    'suppression_global_unsubscribes.csv': 'email,created\nleft@sendgrid.example,1\ngone@sendgrid.example,1\n',
    'suppression_blocks.csv': 'status,reason,email,created\n4.0.0,busy,later@sendgrid.example,1\n',
  });
  const { answer } = await imported('sendgrid', place);
  expect(answer).toMatchObject({ contacts: 1, suppressions: { hard_bounce: 1, complaint: 1, unsubscribe: 1 } });
  const reasons = await Promise.all(['gone', 'angry', 'left', 'later'].map((name) => reason(`${name}@sendgrid.example`)));
  expect(reasons).toEqual(['hard_bounce', 'complaint', 'unsubscribe', undefined]);
  expect(await contact('ada@sendgrid.example')).toMatchObject({ data: { city: 'London' } });
});

test('Buttondown: types decide; people who never confirmed stay out', async () => {
  const place = exported('buttondown', {
    'subscribers.csv':
      'email_address,type,tags,metadata\nada@button.example,regular,"[""Books""]","{""city"": ""London""}"\nleft@button.example,unsubscribed,,\nnew@button.example,unactivated,,\nangry@button.example,complained,,\n',
  });
  const { answer } = await imported('buttondown', place);
  expect(answer).toMatchObject({
    contacts: 3,
    optedOut: 1,
    segments: ['Tag: Books'],
    leftOut: [{ count: 1, reason: 'subscriber who never confirmed' }],
  });
  expect(await contact('ada@button.example')).toMatchObject({ data: { city: 'London' } });
  await app.api().get('/v1/contacts/new@button.example').expect(404);
  expect(await reason('angry@button.example')).toBe('complaint');
});

test.each([
  ['an unknown service', ['mailjet', '.'], 'import needs one of'],
  ['nothing there', ['resend', '/nowhere/at/all'], 'Cannot read'],
])('%s is an error before anything is sent', async (_, args, text) => {
  await expect(imported(...args)).rejects.toThrow(text);
});

test('a broken file is named, and nothing is imported', async () => {
  const before = await total();
  const place = exported('broken', { 'contacts.csv': 'email,first_name\nada@broken.example,"Ada\n' });
  await expect(imported('resend', place)).rejects.toThrow('Not a CSV file');
  expect(await total()).toBe(before);
});
