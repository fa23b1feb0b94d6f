import { newId } from '../../../src/platform/core/ids';
import { keepSession } from '../../../src/records/smtp-sessions';
import type { World } from '../support/world';

/** SMTP submission. */
export function smtpJourneys(world: World): void {
  test('a program gets its settings, and its sessions say what was accepted and what was refused', async () => {
    const { visitor, platform } = world;
    const { page } = visitor;
    const emailId = await platform.send('shopper@example.com');
    const { projectId } = platform.keys;
    const session = {
      projectId,
      testMode: false,
      network: '192.0.2.0/24',
      tls: 'TLSv1.3',
      keyPrefix: 'sk_abc',
      createdAt: new Date(),
      endedAt: new Date(),
    };
    await keepSession({
      ...session,
      _id: newId('smtp', Date.now()),
      client: 'shop.example',
      accepted: 1,
      refused: 0,
      emailIds: [emailId],
      refusals: [],
    });
    await keepSession({
      ...session,
      _id: newId('smtp', Date.now()),
      client: 'blog.example',
      accepted: 0,
      refused: 1,
      emailIds: [],
      refusals: ['535 5.7.8 No such key'],
    });

    await visitor.open('/smtp', 'SMTP');
    await page.getByText('requireTLS: true').waitFor();
    await page.getByLabel('Program').selectOption('Symfony');
    await page.getByText('MAILER_DSN=smtp://lettermill:YOUR_API_KEY@').waitFor();
    await page.getByText('shop.example').waitFor();
    await page.getByText('535 5.7.8 No such key').waitFor();
    await page.getByLabel('Result').selectOption('Accepted');
    await page.getByText('blog.example').waitFor({ state: 'detached' });
    expect(await visitor.hindrances()).toEqual([]);
    await page.getByRole('row', { name: 'shop.example' }).locator('summary').click();
    await page.getByRole('link', { name: emailId }).click();
    await page.waitForURL(`**/console/mail/${emailId}`);
    expect(await visitor.misdeeds()).toEqual([]);
  });
}
