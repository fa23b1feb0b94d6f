import { composeMail } from '../src/message/mime';
import { envelopeOf, mailScratch, outgoingMail, renderMail } from '../src/sending/deliver';
import { messageIdOf, toEmail } from '../src/records/emails';
import { merged, newId } from '../src/platform/core';
import { generateDkimKeyPair, loadDkimKey } from '../src/message/dkim';
import type { DkimKey } from '../src/message/dkim';
import { SmtpConnection, parseSmtpUrl } from '@lettermill/smtp';
import type { Email } from '../src/records/emails';
import { ContentCompiler } from '../src/message/template';
import { HTML, NEWSLETTER, message, quietCore, readerOf } from './support/mail';

const PROJECT = newId('prj');
const CAMPAIGN = newId('cmp');

/**
 * Runs the baseline of `pump` and `campaign`: the same messages (rendering, signed links, MIME, DKIM) over the same SMTP client and as many connections,
 * without records: `bare-pump.ts <port> <count> <connections> <dkim?> <campaign?>`.
 */
async function main(): Promise<void> {
  const [port = '', total = '0', connections = '20', signed = '', kind = ''] = process.argv.slice(2);
  const key = signed === 'dkim' ? loadDkimKey('hello.test', 'bench', (await generateDkimKeyPair()).privateKeyPem) : null;
  const route = parseSmtpUrl(`smtp://127.0.0.1:${port}`);
  let next = 0;
  const lane = async (): Promise<void> => {
    const connection = new SmtpConnection({ route, clientName: 'bench.test' });
    while (next < Number(total)) {
      const email = emailOf(next, kind === 'campaign');
      const outcome = await connection.send(envelopeOf(core, email), await compose(next++, email, key));
      if (!outcome.accepted) throw new Error(outcome.message);
    }
    await connection.close();
  };
  process.stdout.write('ready\n');
  await Promise.all(Array.from({ length: Number(connections) }, lane));
  process.stdout.write(`${JSON.stringify({ cpu: process.cpuUsage(), rss: process.memoryUsage().rss })}\n`);
  process.exit(0);
}

const core = quietCore({
  NODE_ENV: 'development',
  MONGODB_URI: 'mongodb://127.0.0.1/unused',
  TEMPORAL_ADDRESS: '127.0.0.1:1',
  APP_SECRET: 'a secret that only benchmarks have',
});

const compiler = new ContentCompiler();

function emailOf(n: number, campaign: boolean): Email {
  const _id = newId('em');
  return toEmail({
    _id,
    projectId: PROJECT,
    shard: 0,
    priority: 0,
    status: 'sending',
    source: campaign ? 'campaign' : 'transactional',
    type: campaign ? 'marketing' : 'transactional',
    testMode: false,
    to: `user-${n}@example.com`,
    fromEmail: 'hello@hello.test',
    subject: '',
    campaignId: campaign ? CAMPAIGN : null,
    values: '{}',
    messageId: messageIdOf(_id, 'hello@hello.test'),
    createdAt: new Date(),
  });
}

function compose(n: number, email: Email, dkim: DkimKey | null): Promise<string> {
  const { variables, subject } = message(n);
  const content = compiler.compile({ subject: subject ?? '', html: email.campaignId ? NEWSLETTER : HTML, text: null });
  const values = content.valuesFor(variables, merged(readerOf(n), { contactId: null, email: email.to }));
  const rendered = renderMail(core, email, content, values);
  return composeMail(outgoingMail(core, email, rendered, [], dkim), mailScratch(core));
}

void main();
