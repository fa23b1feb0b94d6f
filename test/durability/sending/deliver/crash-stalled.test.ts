import { aPlatform, Part, eventually } from '../../../support/platform/platform';

jest.setTimeout(240_000);

const platform = aPlatform({ env: { SMTP_CONNECTIONS: '4', SMTP_RETRY_SECONDS: '1,1,2,2,5,5,5,5,5' } });

beforeEach(() => {
  platform.smtp.script = {};
});

test('a worker that was stopped past its lease puts nothing more on a wire; another takes over, within the bound', async () => {
  platform.smtp.script = ({ stage }) => (stage === 'dot' ? { dot: { delayMs: 400 } } : {});
  const addresses = Array.from({ length: 24 }, (_, n) => `stalled-${n}@example.com`);
  const ids = await Promise.all(addresses.map((to) => platform.send(to)));
  await eventually('some are through', () => addresses.filter((to) => platform.arrived(to).length > 0).length >= 8);
  platform.worker.signal('SIGSTOP');
  const second = new Part('worker/main.ts', platform.env, 'Worker is ready');
  await second.start();
  try {
    await Promise.all(ids.map((id) => platform.untilStatus(id, 'delivered')));
    const before = platform.smtp.messages.length;
    platform.worker.signal('SIGCONT');
    const last = await platform.send('after-the-stall@example.com');
    await platform.untilStatus(last, 'delivered');
    const counts = addresses.map((to) => platform.arrived(to).length);
    expect(Math.min(...counts)).toBe(1);
    expect(counts.reduce((sum, count) => sum + count - 1, 0)).toBeLessThanOrEqual(4);
    expect(platform.smtp.messages.length).toBe(before + 1);
    for (const to of addresses) expect(new Set(platform.messageIds(to)).size).toBe(1);
  } finally {
    platform.worker.signal('SIGCONT');
    await second.stop();
  }
});
