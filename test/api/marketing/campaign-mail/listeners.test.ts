import { EmailModel } from '../../../../src/records/emails/model';
import { campaignCalls } from '../../../support/calls/campaigns';
import { campaignPages } from '../../../support/calls/campaign-pages';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';
import { aDeliveryHost } from '../../../support/platform/delivery-host';
import { aMailServer } from '../../../support/servers/smtp-fault-server';
import { handOnAll, webhookCalls, withoutEndpointsAfterwards } from '../../../support/servers/webhooks';

const CHUNK = 8;
const AUDIENCE = 40;
const smtp = aMailServer();
const app = aProject(() => ({
  config: { DEV_VERIFIED_DOMAINS: 'hello.test', SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, LEDGER_CHUNK: String(CHUNK) },
}));
const host = aDeliveryHost(app);
const { running } = campaignCalls(() => app);
const { register, deliveries } = webhookCalls(() => app);
withoutEndpointsAfterwards(app);
afterEach(() => jest.restoreAllMocks());

const { page } = campaignPages(
  () => app,
  () => host,
);

/** Does something before the first rows of messages are stored: by then who listens has been asked for them. */
function beforeTheFirstRows(work: () => Promise<unknown>): void {
  const { db } = EmailModel.db;
  if (!db) throw new Error('Not connected');
  const command = db.command.bind(db);
  let done: Promise<unknown> | null = null;
  jest.spyOn(db, 'command').mockImplementation(async (asked, options) => {
    if (asked['insert'] === 'emails') await (done ??= work());
    return command(asked, options);
  });
}

test('an endpoint that is registered while a page is being sent hears of each message that is claimed after it', async () => {
  const id = await running(AUDIENCE);
  const endpoint = { webhookId: '', at: new Date() };
  beforeTheFirstRows(async () => {
    const { webhookId } = await register('https://hooks.example.com/x', { events: ['email.sent'] });
    Object.assign(endpoint, { webhookId, at: new Date() });
  });

  while (!(await page(id)).done);
  await handOnAll(app.core);

  const after = await stored.emails.all({ campaignId: id, 'attempt.at': { $gt: endpoint.at } });
  const eventsOf = await stored.events.all({ emailId: { $in: after.map(({ _id }) => _id) }, name: 'email.sent' });
  const delivered = new Set((await deliveries(endpoint.webhookId, '?limit=100')).map(({ eventId }) => eventId));
  expect([await stored.emails.count({ campaignId: id, status: 'delivered' }), after.length > CHUNK]).toEqual([AUDIENCE, true]);
  expect(eventsOf.filter(({ _id }) => delivered.has(_id)).length).toBe(after.length);
});
