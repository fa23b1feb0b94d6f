import { record } from '../../../../src/sending/deliver/record';
import type { Email } from '../../../../src/records/emails/model';
import { toEmail } from '../../../../src/records/emails/row';
import type { EmailRow } from '../../../../src/records/emails/row';
import { newId } from '../../../../src/platform/core/ids';
import { optOutOf } from '../../../../src/sending/tracking/opt-out';
import { recordHits } from '../../../../src/sending/tracking/record';
import { aProject } from '../../../support/platform/app';
import { activate, always, chain, contact, play, send } from '../../../support/calls/automations';
import { simulated } from '../../../support/data/finished';
import { counts, statsOf } from './stats-of';
import { BROWSER } from '../../public/visits';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

const address = (local: string): string => `${local}@simulator.lettermill.test`;

/** What the one node of an automation sent to an address, as the simulator ends it. */
async function ended(automationId: string, to: string): Promise<Email> {
  const attempt = { id: newId('att'), worker: 'wrk_test', at: new Date() };
  const claim = { $set: { status: 'sending', attempt, attempts: 1 }, $unset: { dueAt: '' } };
  const row = await stored.emails.collection.findOneAndUpdate({ workflowId: automationId, to, status: 'queued' }, claim, {
    returnDocument: 'after',
  });
  const email = toEmail(row as unknown as EmailRow);
  await record(app.core, [simulated(email, new Date())]);
  return email;
}

/** The same, of a new contact. */
async function mailed(automationId: string, to: string): Promise<Email> {
  await play(app, automationId, await contact(app, { email: to }));
  return ended(automationId, to);
}

async function inFunnel(id: string): Promise<unknown> {
  const { nodes } = (await app.api().get(`/v1/stats/workflows/${id}`).expect(200)).body.data as {
    nodes: { nodeId: string; emails: unknown }[];
  };
  return nodes.find(({ nodeId }) => nodeId === 'mail')?.emails;
}
const inStats = async () => (await statsOf(app, app.keys.secret)).bySource.workflow;

test('what becomes of the messages of a node counts as it does in the statistics of the project', async () => {
  const id = await activate(app, chain(send('mail', { type: 'marketing' })), always);
  for (const local of ['bounced', 'failed', 'complained', 'opened', 'clicked']) await mailed(id, address(local));
  const read = await mailed(id, address('delivered'));
  const hit = { emailId: read._id, kind: 'click', url: 'https://example.com/', userAgent: BROWSER, client: null, machine: null } as const;
  for (const seconds of [-121, -60]) await recordHits([{ ...hit, at: new Date(Date.now() + seconds * 1_000) }], false);
  await optOutOf(app.core, read._id, 'link');
  await app.api().post('/v1/contacts').send({ email: read.to, subscribed: true }).expect(200);
  await optOutOf(app.core, read._id, 'one_click');
  const expected = counts({ sent: 5, delivered: 4, opened: 3, clicked: 2, bounced: 1, complained: 1, failed: 1, unsubscribed: 1 });
  expect([await inFunnel(id), await inStats()]).toEqual([expected, expected]);
});

test('a message that bounced and was reported after it counts as both', async () => {
  const id = await activate(app, chain(send('mail')), always);
  const { _id } = await mailed(id, address('bounced+reported'));
  await stored.emails.change(_id, { status: 'complained', complainedAt: new Date() });
  expect(await inFunnel(id)).toEqual(counts({ sent: 1, bounced: 1, complained: 1 }));
});
