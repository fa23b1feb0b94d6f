import { compileContent } from '../src/render';
import { composeMail } from '../src/mail/mime';
import { generateDkimKeyPair, loadDkimKey } from '../src/mail/dkim';
import type { DkimKey } from '../src/mail/dkim';
import { SmtpConnection } from '../src/mail/smtp-client';
import { parseSmtpUrl } from '../src/mail/smtp-url';
import { CAMPAIGN_HTML, HTML, message } from './support/mail';

/** The yardstick of `pump`: the same rendering, MIME and SMTP client over as many connections, and no records: `bare-pump.ts <port> <count> <connections> <dkim?> <campaign?>`. */
async function main(): Promise<void> {
  const [port = '', total = '0', connections = '20', signed = '', kind = ''] = process.argv.slice(2);
  const key = signed === 'dkim' ? loadDkimKey('hello.test', 'bench', (await generateDkimKeyPair()).privateKeyPem) : null;
  const route = parseSmtpUrl(`smtp://127.0.0.1:${port}`);
  let next = 0;
  const lane = async (): Promise<void> => {
    const connection = new SmtpConnection({ route, clientName: 'bench.test' });
    while (next < Number(total)) {
      const bytes = await compose(next, key, kind === 'campaign');
      const outcome = await connection.send({ from: 'b+token@bounce.lettermill.test', to: `user-${next++}@example.com` }, bytes);
      if (!outcome.accepted) throw new Error(outcome.message);
    }
    await connection.close();
  };
  process.stdout.write('ready\n');
  await Promise.all(Array.from({ length: Number(connections) }, lane));
  process.stdout.write(`${JSON.stringify({ cpu: process.cpuUsage(), rss: process.memoryUsage().rss })}\n`);
  process.exit(0);
}

function compose(n: number, dkim: DkimKey | null, campaign: boolean): Promise<Buffer> {
  const { variables, subject } = message(n);
  const content = compileContent({ subject: subject ?? '', html: campaign ? CAMPAIGN_HTML : HTML, text: null });
  const contact = {
    contactId: null,
    email: `user-${n}@example.com`,
    firstName: `First${n}`,
    lastName: null,
    locale: null,
    data: { city: 'Berlin' },
  };
  const rendered = content.render(
    content.valuesFor(variables, contact),
    { unsubscribeUrl: 'http://localhost:3000/u/token', viewInBrowserUrl: 'http://localhost:3000/v/token', year: 2026 },
    {
      trackLink: (url) => `http://localhost:3000/t/c/${Buffer.from(url).toString('base64url')}`,
      pixelUrl: 'http://localhost:3000/t/o/token.gif',
      unsubscribeFooter: campaign,
    },
  );
  return composeMail({
    from: { address: 'hello@hello.test', name: null },
    to: { address: contact.email, name: null },
    replyTo: null,
    subject: rendered.subject,
    date: new Date(),
    messageId: `<bench-${n}@hello.test>`,
    headers: [['Feedback-ID', 'send:bench:transactional:lettermill']],
    html: rendered.html,
    text: rendered.text,
    attachments: [],
    dkim,
  });
}

void main();
