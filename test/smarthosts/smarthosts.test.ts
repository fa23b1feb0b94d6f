import { freePort } from '../support/run/servers';
import { SMARTHOSTS, isThere, startSmarthost } from '../support/servers/smarthosts';
import { startSmtpServer } from '../support/servers/smtp-fault-server';
import type { SmtpFaultServer, SmtpMoment, SmtpScript } from '../support/servers/smtp-fault-server';
import { aProject } from '../support/platform/app';
import { anInboundServer, envelopeSenderOf } from '../support/platform/inbound-smtp';
import { deliver } from '../support/calls/smtp-talk';
import { stored } from '../support/data/stored';
import { sentMail } from '../api/sending/accept/sent-mail';

/*
 * Real mail systems as smarthosts: what they report of a refusal has to mean what the refusal means. `prepare.sh` fills the folder that MAIL_SYSTEMS names; each
 * runs in a root of its own there, which takes root. Without them there is nothing to run.
 */

const FOLDER = process.env['MAIL_SYSTEMS'] ?? '';

/** What the recipient's server says, when, and what the message is then. */
const REFUSALS: Readonly<Record<string, readonly [stage: 'mail' | 'rcpt' | 'dot', reply: string, bounceType: string, isListed: boolean]>> =
  {
    coded: ['rcpt', '550 5.1.1 No', 'hard', true],
    unknown: ['rcpt', '550 Unknown user', 'hard', true],
    disabled: ['rcpt', '550 5.2.1 No', 'hard', true],
    unavailable: ['rcpt', '550 5.5.0 Requested action not taken: mailbox unavailable', 'hard', true],
    account: ['rcpt', "554 delivery error: dd This user doesn't have a refusing.test account", 'hard', true],
    directory: ['rcpt', '550 5.4.1 Recipient address rejected: Access denied', 'hard', true],
    barely: ['rcpt', '550 No', 'hard', false],
    full: ['rcpt', '552 5.2.2 No', 'soft', false],
    quota: ['rcpt', '550 User is over quota', 'soft', false],
    large: ['dot', '552 5.3.4 No', 'soft', false],
    listed: ['rcpt', '550 Rejected because 192.0.2.7 is in a black list at bl.example', 'block', false],
    policy: ['rcpt', '550 5.7.1 No', 'block', false],
    sender: ['rcpt', '550 5.1.0 Sender rejected', 'block', false],
    host: ['mail', '550 5.7.1 Your host is not welcome', 'block', false],
    spam: ['dot', '554 Looks like spam', 'block', false],
  };

/** Refusals by the sender that they are for: at MAIL the recipient is not known yet. */
const atMail = new Map<string, string>();

const senderIn = (command = ''): string => /<([^>]*)>/.exec(command)?.[1] ?? '';

function scriptFor({ commands }: Pick<SmtpFaultServer, 'commands'>, { stage, to }: SmtpMoment): SmtpScript {
  const bySender = stage === 'mail' ? atMail.get(senderIn(commands.at(-1))) : undefined;
  const [at, reply] = REFUSALS[to?.split('-')[0] ?? bySender ?? ''] ?? [];
  return at && reply ? { [at]: { reply } } : {};
}

const app = aProject();
const smtp = anInboundServer(app);
const { sent, suppressionOf } = sentMail(() => app);

const there = SMARTHOSTS.filter((name) => isThere(FOLDER, name));

if (there.length < SMARTHOSTS.length) {
  const absent = SMARTHOSTS.filter((name) => !there.includes(name)).join(', ');
  test(`left out: ${absent} (run test/smarthosts/prepare.sh FOLDER as root, then set MAIL_SYSTEMS=FOLDER)`, () => {
    expect(there).not.toContain(absent);
  });
}

for (const name of there) {
  test(`what ${name} reports of refusals`, async () => {
    const refusing = await startSmtpServer({ pipelining: false });
    refusing.script = (moment) => scriptFor(refusing, moment);
    const host = await startSmarthost(FOLDER, name, { own: await freePort(), refusing: refusing.port, bounces: smtp.port });
    try {
      const verdicts = Object.keys(REFUSALS).map(async (refusal) => {
        const email = await sent({ to: `${refusal}-${name}@refusing.test` });
        const from = envelopeSenderOf(app.core, email._id);
        if (REFUSALS[refusal]?.[0] === 'mail') atMail.set(from, refusal);
        const data = `From: team@hello.test\nTo: ${email.to}\nSubject: Hello\n\nHello\n`;
        await deliver(host.port, { from, to: email.to, data });
        return [refusal, await untilBounced(email._id), (await suppressionOf(email)) !== null];
      });
      const expected = Object.entries(REFUSALS).map(([refusal, [, , bounceType, isListed]]) => [refusal, bounceType, isListed]);
      expect(await Promise.all(verdicts)).toEqual(expected);
    } finally {
      await host.stop();
      await refusing.close();
    }
  });
}

async function untilBounced(emailId: string): Promise<string | null | undefined> {
  const until = Date.now() + 90_000;
  for (;;) {
    const email = await stored.emails.get(emailId);
    if (email.status === 'bounced' || Date.now() > until) return email.bounceType;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
