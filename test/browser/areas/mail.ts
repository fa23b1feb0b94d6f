import type { Area, Ground, Ids } from './area';
import { FILE, HTML, PLANTED, TEXT, letter } from './words';

const receive = async ({ post }: Ground, message: object): Promise<string> =>
  (await post('/v1/inbound', { from: 'ada@example.com', to: 'shop@hello.test', ...message }))['emailId'] ?? '';

/** The start page, and every message that was sent or came in. */
export const mail: Area = {
  screens: [
    ['today', () => '/', 'Today', 'Delivered'],
    ['mail', () => '/mail', 'Mail log', PLANTED],
    ['message', ({ emailId }) => `/mail/${emailId}`, PLANTED, 'email.delivered'],
    ['inbound', () => '/inbound', 'Inbound mail', PLANTED],
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
    const receivedId = await receive(ground, { fromName: TEXT, subject: TEXT, html: HTML, text: TEXT });
    const attachments = [{ filename: FILE, content: 'aGVsbG8=' }];
    ground.platform.smtp.script = { rcpt: { reply: `550 5.1.1 ${TEXT}` } };
    const refusedId = await ground.platform.send('refused@example.com', { subject: TEXT, html: HTML });
    await ground.platform.untilStatus(refusedId, 'bounced');
    ground.platform.smtp.script = {};
    const more = { headers: { 'X-Note': TEXT }, attachments };
    const emailId = await ground.platform.send('ada@example.com', { subject: TEXT, html: HTML, ...more });
    await ground.platform.untilStatus(emailId, 'delivered');
    return { emailId, receivedId, refusedId };
  },
};
