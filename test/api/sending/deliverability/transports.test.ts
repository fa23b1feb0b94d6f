import { newId } from '../../../../src/platform/core/ids';
import { rampDayAt } from '../../../../src/rules/ramps';
import { rampWait } from '../../../../src/sending/ramps/ledger';
import { aProject } from '../../../support/platform/app';
import { storeEmails } from '../../../support/data/email-rows';
import { stored } from '../../../support/data/stored';

const OTHERS = newId('prj');
const over = (transport: string) => [{ transport, weight: 1 }];
const app = aProject(() => ({
  config: {
    SMTP_URL: 'smtp://user:secret-word@relay.example.com',
    TRANSPORTS: JSON.stringify({
      transports: [
        { name: 'news', url: 'direct:', sourceAddress: '192.0.2.7', hello: 'out7.example.com' },
        { name: 'backup', url: 'smtps://user:secret-word@backup.example.com' },
        { name: 'acme', url: 'smtps://user:secret-word@acme.example.com' },
      ],
      routes: [
        { project: OTHERS, use: over('acme') },
        { type: 'marketing', use: over('news'), fallback: ['backup'] },
      ],
      ramps: [{ transport: 'news', perDay: [50, 100], perProvider: true, overflow: 'other' }],
    }),
  },
}));
const AT = new Date(Date.now() - 3_600_000);
const taken = { createdAt: AT, attempts: 1, sentAt: AT, deliveredAt: AT, status: 'delivered' } as const;
const mail = { sent: 0, delivered: 0, deferred: 0, bounced: 0, waiting: 0 };

const transports = async (): Promise<unknown> => (await app.api().get('/v1/deliverability/transports').expect(200)).body.data.transports;

test('a project sees which transports its mail takes and what the day of a ramp has left, and nothing of hosts or of other projects', async () => {
  const today = rampDayAt(Date.now(), () => 0);
  await stored.ramps.make({ _id: 'news', day: today, step: 1, amount: 100, perProvider: true, heldBack: 'refused' });
  const day = { transport: 'news', day: today, refused: 0, early: 0, endsAt: new Date(Date.now() + 86_400_000) };
  await stored.rampDays.make({ ...day, _id: `news/${today}/google`, provider: 'google', used: 40 });
  await stored.rampDays.make({ ...day, _id: `news/${today}/acme.example`, provider: 'acme.example', used: 90 });
  await storeEmails(
    app.keys.projectId,
    { ...taken, transport: { name: 'news' } },
    { ...taken, transport: { name: 'news' } },
    { ...taken, transport: { name: 'removed' } },
    { createdAt: AT, attempts: 1, status: 'bounced', bouncedAt: AT, transport: { name: 'backup' } },
    { createdAt: AT, attempts: 1, status: 'queued', dueAt: new Date(), error: '450 Later', transport: { name: 'default' } },
    { createdAt: new Date(Date.now() - 9 * 86_400_000), status: 'queued', dueAt: new Date(), error: rampWait('news') },
    { ...taken, testMode: true, transport: { name: 'news' } },
  );
  await storeEmails(app.otherKeys.projectId, { ...taken, transport: { name: 'news' } });
  const { body, text } = await app.api().get('/v1/deliverability/transports').expect(200);
  expect(body.data).toEqual({
    since: expect.any(String),
    transports: [
      { ...mail, name: 'default', kind: 'smarthost', deferred: 1, ramp: null },
      {
        ...mail,
        name: 'news',
        kind: 'direct',
        sent: 2,
        delivered: 2,
        waiting: 1,
        ramp: {
          step: 2,
          steps: 2,
          amount: 100,
          used: [{ provider: 'google', used: 40 }],
          overflow: 'other',
          heldBack: 'refused',
          nextDayAt: expect.stringMatching(/T00:00:00.000Z$/),
        },
      },
      { ...mail, name: 'backup', kind: 'smarthost', sent: 1, bounced: 1, ramp: null },
      { ...mail, name: 'removed', kind: null, sent: 1, delivered: 1, ramp: null },
    ],
  });
  expect(text).not.toMatch(/secret-word|example\.com|192\.0\.2|acme/);
});

test('a ramp that is over is no limit, and one that was not moved on to yet has its first step', async () => {
  await Promise.all([stored.ramps.remove(), stored.rampDays.remove(), stored.emails.remove()]);
  expect(await transports()).toContainEqual(
    expect.objectContaining({ name: 'news', ramp: expect.objectContaining({ step: 1, used: [] }) }),
  );
  await stored.ramps.make({ _id: 'news', day: '2026-01-01', step: 2, amount: null, perProvider: true, heldBack: null });
  expect(await transports()).toContainEqual(expect.objectContaining({ name: 'news', ramp: null }));
});
