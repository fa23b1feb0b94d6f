import { aProject } from '../../../support/platform/app';
import { campaignCalls } from '../../../support/calls/campaigns';
import { beforeEachBeginning, campaignPages } from '../../../support/calls/campaign-pages';
import { preferenceCalls } from '../../../support/calls/preference-calls';
import { aReader } from '../../../support/data/people';
import { stored } from '../../../support/data/stored';
import { aDeliveryHost } from '../../../support/platform/delivery-host';
import { aMailServer } from '../../../support/servers/smtp-fault-server';

const smtp = aMailServer();
const app = aProject(() => ({
  config: { DEV_VERIFIED_DOMAINS: 'hello.test', SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, LEDGER_CHUNK: '8' },
}));
const host = aDeliveryHost(app);
const { api, rows, running } = campaignCalls(() => app);
const { page: pageOf, post, filled } = preferenceCalls(() => app);

beforeEach(async () => {
  await Promise.all([stored.emails.remove(), stored.contacts.remove(), stored.suppressions.remove()]);
});

afterEach(() => jest.restoreAllMocks());

const { wholePage } = campaignPages(
  () => app,
  () => host,
);

type Row = Awaited<ReturnType<typeof rows>>[number];

/** An earlier message to a recipient, whose page they open. */
const earlierMail = async ({ email }: Pick<Row, 'email'>): Promise<string> =>
  (await aReader(app.keys.projectId, { to: email }, null)).email._id;
const pause = async (emailId: string): Promise<void> => {
  expect((await post(emailId, filled(await pageOf(emailId), { pause: '1m' }))).status).toBe(200);
};

test('a recipient who pauses after the start is skipped, and the list says until when', async () => {
  const id = await running(3);
  const [, second] = (await rows(id)) as [Row, Row, Row];
  await pause(await earlierMail(second));
  await wholePage(id);
  const { body } = await api().get(`/v1/campaigns/${id}/recipients`).query({ status: 'skipped' }).expect(200);
  const until = (await stored.contacts.one(second.contactId))?.snoozedUntil?.toISOString();
  expect(body.data.data).toEqual([
    expect.objectContaining({ contactId: second.contactId, skipReason: 'unsubscribed', skipDetail: { snoozedUntil: until } }),
  ]);
});

test.each([
  ['a pause', async (emailId: string) => filled(await pageOf(emailId), { pause: '1m' })],
  ['leaving everything', () => Promise.resolve([['action', 'off']] as const)],
])('once the page has answered %s, no message to the person begins: 25 races against a running campaign', async (_name, formOf) => {
  const id = await running(40);
  const leaving = new Map<
    string,
    { readonly contactId: string; readonly mail: string; readonly form: Awaited<ReturnType<typeof formOf>> }
  >();
  for (const row of (await rows(id)).filter((_row, index) => index % 8 < 5)) {
    const mail = await earlierMail(row);
    leaving.set(row.contactId, { contactId: row.contactId, mail, form: await formOf(mail) });
  }
  const left = new Set<string>();
  beforeEachBeginning(async (contactIds) => {
    const races = contactIds.flatMap((contactId) => (left.has(contactId) ? [] : (leaving.get(contactId) ?? [])));
    for (const { contactId } of races) left.add(contactId);
    await Promise.all(races.map(async ({ mail, form }) => expect((await post(mail, form)).status).toBe(200)));
  });
  await wholePage(id);
  expect(left.size).toBe(25);
  // Everybody else got theirs.
  const wanted = (await rows(id)).filter(({ contactId }) => !left.has(contactId)).map(({ emailId }) => emailId);
  expect((await stored.emails.all({ campaignId: id })).map(({ _id }) => _id).sort()).toEqual(wanted.sort());
});
