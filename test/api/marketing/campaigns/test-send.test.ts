import type { Email } from '../../../../src/records/emails';
import { withoutBlocked } from '../../../../src/sending/deliver/recheck';
import { campaignCalls, faultsOf } from '../../../support/calls/campaigns';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

const { api, draft, act } = campaignCalls(() => app);

test('a test-send goes out to an address that has unsubscribed, and to none that is suppressed', async () => {
  const { campaignId } = await draft();
  await api().post('/v1/contacts').send({ email: 'out@example.com', subscribed: false }).expect(201);
  const { body } = await act(campaignId, 'test-send', { to: 'out@example.com' }).expect(200);
  expect(body.data.status).toBe('queued');
  for (const reason of ['hard_bounce', 'complaint', 'manual']) {
    await api()
      .post('/v1/suppressions')
      .send({ email: `${reason}@example.com`, reason })
      .expect(201);
    expect(faultsOf((await act(campaignId, 'test-send', { to: `${reason}@example.com` }).expect(422)).body)).toEqual([
      ['to', 'invalid_string'],
    ]);
  }
  const email = await stored.emails.get(body.data.id as string);
  const waited = { ...email, attempts: 1 } as Email;
  expect(await withoutBlocked(app.core, [waited], new Date())).toEqual([waited]);
});
