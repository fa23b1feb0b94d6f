import { outgoingMail, renderMail } from '../../src/sending/deliver';
import { messageIdOf, toEmail } from '../../src/records/emails';
import type { Email } from '../../src/records/emails';
import { merged, newId } from '../../src/platform/core';
import { MailScratch, composeMail } from '../../src/message/mime';
import { toWireData } from '../../packages/smtp/src/transaction';
import { compileContent } from '../../src/message/template';
import type { Rendered, Values } from '../../src/message/template';
import { NEWSLETTER, quietCore, readerOf } from './mail';
import type { Work } from './rounds';

const MESSAGES = 500;

interface Message {
  readonly email: Email;
  readonly values: Values;
}

const core = quietCore({
  NODE_ENV: 'development',
  MONGODB_URI: 'mongodb://127.0.0.1/unused',
  TEMPORAL_ADDRESS: '127.0.0.1:1',
  APP_SECRET: 'a secret that only benchmarks have',
});
const content = compileContent({ subject: 'News for {{firstName}}', html: NEWSLETTER, text: null });

function messageTo(n: number, projectId: string, campaignId: string): Message {
  const _id = newId('em');
  const to = `user-${n}@example.com`;
  const email = toEmail({
    _id,
    projectId,
    campaignId,
    to,
    shard: 0,
    priority: 1,
    status: 'sending',
    source: 'campaign',
    type: 'marketing',
    testMode: false,
    fromEmail: 'hello@hello.test',
    fromName: 'News',
    subject: `News for First${n}`,
    values: '{}',
    messageId: messageIdOf(_id, 'hello@hello.test'),
    createdAt: new Date(),
  });
  return { email, values: content.valuesFor({}, merged(readerOf(n), { contactId: 'ctc_1', email: to })) };
}

/** Renders to texts with every link signed separately, as before contents were compiled for the wire. */
function renderedAsText({ email, values }: Message): Rendered {
  const { secrets, config } = core;
  const link = (path: string, purpose: 'open' | 'unsubscribe' | 'view') =>
    `${config.PUBLIC_URL}/${path}/${email._id.slice(3)}.${secrets.sign('link', `${purpose}\n${email._id}`)}`;
  const system = {
    unsubscribeUrl: link('u', 'unsubscribe'),
    preferencesUrl: link('p', 'unsubscribe'),
    viewInBrowserUrl: link('v', 'view'),
    year: 2026,
  };
  const target = (url: string) => `${email._id.slice(3)}.${Buffer.from(url).toString('base64url')}`;
  return content.render(values, system, {
    trackLink: (url) => `${config.PUBLIC_URL}/t/c/${target(url)}.${secrets.sign('link', `${email._id}\n${url}`)}`,
    pixelUrl: `${link('t/o', 'open')}.gif`,
    unsubscribeFooter: true,
  });
}

const scratch = new MailScratch();

async function asText(message: Message): Promise<void> {
  const { html, text } = renderedAsText(message);
  const bounce = core.secrets.sign('link', `bounce\n${message.email._id}`);
  const mail = await composeMail(
    {
      from: { address: message.email.fromEmail, name: message.email.fromName },
      to: { address: message.email.to, name: null },
      replyTo: null,
      subject: message.email.subject,
      date: message.email.createdAt,
      messageId: message.email.messageId,
      headers: [
        ['Feedback-ID', `${message.email.campaignId}:${message.email.projectId}:marketing:lettermill`],
        ['List-Unsubscribe', `<${core.config.PUBLIC_URL}/u/${bounce}>, <mailto:u+${bounce}@bounce.test?subject=unsubscribe>`],
        ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
      ],
      html: [html],
      text: [text],
      attachments: [],
      dkim: null,
    },
    scratch,
  );
  toWireData(mail);
}

/** Creates the works: a message composed from texts, a compiled one, and the parts of that. */
export function newsletterWorks(): readonly Work[] {
  const [projectId, campaignId] = [newId('prj'), newId('cmp')];
  const messages = Array.from({ length: MESSAGES }, (_, n) => messageTo(n, projectId, campaignId));
  const written = messages.map(({ email, values }) => renderMail(core, email, content, values));
  let at = 0;
  const next = (): number => (at = (at + 1) % MESSAGES);
  const withNext = <T>(work: (message: Message, n: number) => T) => {
    return (): T => {
      const n = next();
      return work(messages[n]!, n);
    };
  };
  return [
    { label: 'texts, a signature a link, encoded as a whole', work: withNext(asText) },
    {
      label: 'compiled content',
      work: withNext(async ({ email, values }) => {
        toWireData(await composeMail(outgoingMail(core, email, renderMail(core, email, content, values)), scratch));
      }),
    },
    { label: 'of that: the one signature', work: withNext(({ email }) => void core.secrets.signMessage(email._id).of('open')) },
    {
      label: 'of that: rendering and links, signature included',
      work: withNext(({ email, values }) => void renderMail(core, email, content, values)),
    },
    {
      label: 'of that: MIME, signature included',
      work: withNext(async ({ email }, n) => {
        toWireData(await composeMail(outgoingMail(core, email, written[n]!), scratch));
      }),
    },
    { label: 'of texts: rendering and links', work: withNext((message) => void renderedAsText(message)) },
  ];
}
