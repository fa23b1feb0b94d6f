import { freePort } from '../support/run/servers';
import { SMARTHOSTS, isThere, startSmarthost } from '../support/servers/smarthosts';
import { aProject } from '../support/platform/app';
import { SUBMISSION, aSubmission } from '../support/platform/submission';
import { deliver } from '../support/calls/smtp-talk';
import { stored } from '../support/data/stored';

/*
 * Real mail systems hand mail in, with STARTTLS and a key: Postfix and OpenSMTPD by DATA, Exim by BDAT. They are where `smarthosts.test.ts` has them from.
 */

const FOLDER = process.env['MAIL_SYSTEMS'] ?? '';

const app = aProject({ config: { ...SUBMISSION, DEV_VERIFIED_DOMAINS: 'hello.test' } });
const submission = aSubmission(app);

const there = SMARTHOSTS.filter((name) => isThere(FOLDER, name));

if (there.length === 0) {
  test('left out (run test/smarthosts/prepare.sh FOLDER as root, then set MAIL_SYSTEMS=FOLDER)', () => {
    expect(there).toEqual([]);
  });
}

for (const name of there) {
  test(`${name} relays mail by SMTP submission`, async () => {
    const relay = { port: submission.port, key: app.keys.secret };
    const host = await startSmarthost(FOLDER, name, { own: await freePort(), refusing: 1, bounces: 1, submission: relay });
    const boxes = Array.from({ length: 5 }, (_, n) => `box-${n}-${name}@submitted.test`);
    try {
      for (const to of boxes) {
        const data = `From: Shop <shop@hello.test>\nTo: ${to}\nSubject: Order ${to}\nMessage-ID: <${to}>\n\nIt is on its way.\n.hidden\n`;
        await deliver(host.port, { from: 'shop@hello.test', to, data });
      }
      await untilStored(boxes);
    } finally {
      await host.stop();
    }
    const rows = (await stored.emails.all()).filter(({ to }) => boxes.includes(to));
    expect(rows.map(({ to, messageId }) => [to, messageId]).sort()).toEqual(boxes.map((to) => [to, `<${to}>`]));
    const { body } = await app.api().get(`/v1/emails/${rows[0]?._id}`).expect(200);
    expect(body.data).toMatchObject({ fromName: 'Shop', text: expect.stringMatching(/It is on its way\.\r?\n\.hidden/) });
  });
}

async function untilStored(boxes: readonly string[]): Promise<void> {
  const until = Date.now() + 90_000;
  while ((await stored.emails.all()).filter(({ to }) => boxes.includes(to)).length < boxes.length && Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
