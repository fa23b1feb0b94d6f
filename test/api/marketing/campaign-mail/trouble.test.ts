import { aProject } from '../../../support/platform/app';
import { campaignCalls } from '../../../support/calls/campaigns';
import { campaignPages } from '../../../support/calls/campaign-pages';
import { aDeliveryHost } from '../../../support/platform/delivery-host';
import { eventually } from '../../../support/platform/platform';
import { aMailServer } from '../../../support/servers/smtp-fault-server';
import { stored } from '../../../support/data/stored';

const smtp = aMailServer();
const app = aProject(() => ({
  config: {
    DEV_VERIFIED_DOMAINS: 'hello.test',
    DEV_PROJECT_DOMAINS: 'dev.test',
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    LEDGER_CHUNK: '40',
  },
}));
const host = aDeliveryHost(app);
const { running, rows } = campaignCalls(() => app);

const { page } = campaignPages(
  () => app,
  () => host,
);

test('what a campaign sends to a mute domain holds up neither its other mail for long nor that of another project', async () => {
  const id = await running(30);
  const mute = new Set((await rows(id)).slice(0, 25).map(({ email }) => email));
  smtp.script = ({ stage, to }) => (stage === 'rcpt' && mute.has(to ?? '') ? { rcpt: 'hang' } : {});
  const before = smtp.messages.length;
  const sending = page(id);
  await eventually('the server is mute', () => smtp.commands.some((line) => [...mute].some((to) => line.includes(to))));
  const { projectId, secret } = app.otherKeys;
  const { body } = await app.api(secret).post('/v1/send').send({ to: 'bob@well.test', subject: 'Hi', text: 'Hi' }).expect(200);
  const { shard } = await stored.emails.get(body.data.results[0].id as string);
  const stop = new AbortController();
  const pumping = host.pump({ shard, startedAt: Date.now(), stay: true, signal: stop.signal, beat: () => undefined });
  await eventually('the other mail has arrived', () => smtp.messages.slice(before).some(({ to }) => to === 'bob@well.test'), 30_000);
  expect(projectId).not.toBe(app.keys.projectId);
  for (const socket of smtp.sockets) socket.destroy();
  smtp.script = {};
  stop.abort();
  await Promise.all([sending, pumping]);
});

test('nothing of a campaign leaves from a domain that was withdrawn meanwhile: it fails, and says so', async () => {
  const id = await running(5);
  const [domain] = await stored.domains.all({ projectId: app.keys.projectId, domain: 'hello.test' });
  const before = smtp.messages.length;
  await stored.domains.change(domain!._id, { status: 'failed', development: false, domain: 'gone.test' });
  await stored.campaigns.change(id, { fromEmail: 'team@gone.test' });
  while (!(await page(id)).done);
  expect(smtp.messages.length).toBe(before);
  expect(await stored.emails.count({ campaignId: id, status: 'failed', error: /^unverified_domain: gone\.test / })).toBe(
    (await rows(id)).length,
  );
});
