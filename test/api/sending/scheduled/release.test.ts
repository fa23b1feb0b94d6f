import { DELIVERY_SHARDS } from '../../../../src/contracts/delivery';
import { minuteOf } from '../../../../src/contracts/waiting-mail';
import { LEASE_TIMES } from '../../../../src/sending/deliver/lease';
import { PUMP_TIMES } from '../../../../src/sending/deliver/pump';
import { releaseMinute } from '../../../../src/sending/scheduled';
import { aProject } from '../../../support/platform/app';
import { stored } from '../../../support/data/stored';
import { aDeliveryHost } from '../../../support/platform/delivery-host';
import { aMailServer } from '../../../support/servers/smtp-fault-server';

const smtp = aMailServer();
const app = aProject(() => ({ config: { DEV_VERIFIED_DOMAINS: 'hello.test', SMTP_URL: `smtp://127.0.0.1:${smtp.port}` } }));
const host = aDeliveryHost(app, { lease: LEASE_TIMES, pump: { ...PUMP_TIMES, lingerMs: 200 } });

/** One run of each pump, until nothing is due. */
async function pump(): Promise<void> {
  const signal = new AbortController().signal;
  const run = (shard: number) => host.pump({ shard, startedAt: Date.now(), stay: true, signal, beat: () => undefined });
  await Promise.all(Array.from({ length: DELIVERY_SHARDS }, (_, shard) => run(shard)));
}

test('no pump takes scheduled mail before the workflow of its minute has released it, however late that is', async () => {
  const sendAt = new Date(Date.now() + 3_600_000).toISOString();
  const { body } = await app
    .api()
    .post('/v1/send')
    .send({ to: 'ada@example.com', from: 'a@hello.test', subject: 'Hello', text: 'Hello', sendAt });
  const due = new Date(Date.now() - 60_000);
  await stored.emails.change(body.data.results[0].id as string, { scheduledFor: due, dueAt: due });
  await pump();
  expect(smtp.messages).toHaveLength(0);
  const key = { projectId: app.keys.projectId, minute: minuteOf(due).toISOString() };
  expect(await releaseMinute(app.core, key, new Date(due.getTime() - 1))).toMatchObject({ waiting: 1, nextAt: due.toISOString() });
  expect(await releaseMinute(app.core, key, new Date())).toMatchObject({ waiting: 0, nextAt: null });
  await pump();
  expect(smtp.messages).toHaveLength(1);
});
