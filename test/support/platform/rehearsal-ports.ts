import { evaluate } from '../../../src/rules/conditions/evaluate';
import type { JudgedContact } from '../../../src/rules/conditions/evaluate';
import { parseConditions } from '../../../src/rules/conditions/parse';
import type { RehearsalPorts } from '../../../src/rules/automation/rehearsal';
import { factsIn } from '../../../src/rules/automation/rehearse';
import { ContentCompiler } from '../../../src/message/template';

const compiler = new ContentCompiler();

export const START = new Date('2026-11-21T08:00:00.000Z');
export const ada: JudgedContact = {
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: null,
  locale: null,
  timezone: null,
  subscribed: true,
  data: { plan: 'free' },
  createdAt: START,
  updatedAt: START,
};

/** Real conditions, real templates, nothing outside. */
export const ports: RehearsalPorts<JudgedContact> = {
  holds(tree, world) {
    const parsed = parseConditions(tree, { allow: { trigger: true } });
    if (!('ok' in parsed)) throw new Error('A condition is at fault');
    return evaluate(parsed.ok, world.contact, factsIn(world, parsed.ok), world.now);
  },
  fill: (values) => values,
  render(message, { contact, trigger, items, now }) {
    if ('templateId' in message) return { failed: 'No such template' };
    const content = compiler.compile({ subject: message.subject, html: message.body, text: null });
    const values = content.valuesFor({ event: trigger, items }, { contactId: 'con_1', ...contact });
    const system = {
      unsubscribeUrl: 'https://u.test/',
      preferencesUrl: 'https://p.test/',
      viewInBrowserUrl: 'https://v.test/',
      year: 2026,
    };
    const { subject, html, text } = content.render(values, system, { trackLink: null, pixelUrl: null, unsubscribeFooter: false });
    const isSkipped = message.type === 'marketing' && !contact.subscribed;
    return { at: now, subject, html, text, ...(isSkipped && { skipped: 'unsubscribed' as const }) };
  },
  update({ data, subscribed }, { contact }) {
    return { ...contact, data: { ...contact.data, ...data }, subscribed: subscribed ?? contact.subscribed };
  },
  call: ({ config: { url } }) => ({ ok: url.startsWith('https:'), status: 200, body: '', error: null }),
};
