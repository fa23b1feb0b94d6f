import { getProject } from '../../../src/records/projects';
import { receiveMessage } from '../../../src/sending/inbound';
import { testCore } from '../../support/platform/app';
import { read } from './area';
import type { Area, Ground, Ids } from './area';
import { FILE, HTML, NAME, PLANTED, TEXT, letter } from './words';

const receive = async ({ post }: Ground, message: object): Promise<string> =>
  (await post('/v1/inbound', { from: 'ada@example.com', to: 'shop@hello.test', ...message }))['emailId'] ?? '';

const named = (address: string): string => `"${NAME.replaceAll('"', '\\"')}" <${address}>`;

/** Takes a message in with all that senders can write into one. */
async function receivePlanted({ platform }: Ground): Promise<string> {
  const message = { from: 'ada@example.com', to: 'shop@hello.test', fromName: NAME, subject: TEXT, html: HTML, text: TEXT };
  const attachments = [{ filename: FILE, contentType: 'text/html', size: 5, content: Buffer.from(HTML) }];
  const receiver = { core: testCore(), project: await getProject(platform.keys.projectId), testMode: false };
  return receiveMessage(receiver, {
    ...message,
    attachments,
    inReplyTo: `<${TEXT}>`,
    references: [`<${TEXT}>`],
    replyTo: 'img@example.com',
  });
}

/** The start page, and every message that was sent or came in. */
export const mail: Area = {
  screens: [
    ['today', () => '/', 'Home', 'Delivered'],
    ['mail', () => '/mail', 'Mail log', PLANTED],
    ['message', ({ emailId }) => `/mail/${emailId}`, PLANTED, 'email.delivered'],
    ['inbound', () => '/inbound', 'Inbound mail', PLANTED],
    ['deliverability', () => '/deliverability', 'Deliverability', 'Policy refusals'],
    ['received', ({ receivedId }) => `/mail/${receivedId}`, PLANTED, 'email.received'],
  ],

  async example(ground): Promise<Ids> {
    const text = 'Thank you! When will it arrive?';
    const subject = 'Your order A-1042 is on its way';
    const receivedId = await receive(ground, { fromName: 'Ada Lovelace', subject: `Re: ${subject}`, html: `<p>${text}</p>`, text });
    const { platform } = ground;
    await platform.send('bounce@simulator.lettermill.test', { subject: 'Your invoice for November', html: letter('Your invoice.') });
    let emailId = '';
    for (const name of ['Radia', 'Annie', 'Katherine', 'Grace', 'Ada']) {
      const html = letter(`Dear ${name}, your order is on its way.`);
      emailId = await platform.send(`${name.toLowerCase()}@example.com`, { subject, html });
      await platform.untilStatus(emailId, 'delivered');
    }
    return { emailId, receivedId };
  },

  async planted(ground): Promise<Ids> {
    const receivedId = await receivePlanted(ground);
    const attachments = [{ filename: FILE, content: 'aGVsbG8=' }];
    ground.platform.smtp.script = { rcpt: { reply: `550 5.1.1 ${TEXT}` } };
    const refusedId = await ground.platform.send('refused@example.com', { subject: TEXT, html: HTML });
    await ground.platform.untilStatus(refusedId, 'bounced');
    ground.platform.smtp.script = {};
    const people = { to: { email: 'ada@example.com', name: NAME }, fromName: NAME, replyTo: named('us@hello.test') };
    const words = {
      subject: '{{note}}',
      html: HTML.replace('Hello Ada', 'Hello Ada, {{note}}'),
      text: '{{note}}',
      variables: { note: TEXT },
    };
    const tags = [{ name: 'kind', value: 'javascript:top.ran' }];
    const more = { ...people, ...words, headers: { 'X-Note': TEXT }, attachments, tags };
    const emailId = await ground.platform.send('ada@example.com', more);
    await ground.platform.untilStatus(emailId, 'delivered');
    await read(ground.platform, 'ada@example.com', TEXT);
    await ground.platform.untilStatus(emailId, 'clicked');
    return { emailId, receivedId, refusedId };
  },
};
