import { eventually } from '../../support/platform/platform';
import type { Area, Ground, Ids } from './area';
import { hostileServer } from './set-up';
import { HTML, NAME, PLANTED, TEXT, letter } from './words';

interface Words {
  readonly name: string;
  readonly subject: string;
  readonly html: string;
}

const node = (id: string, type: string, config: object, name?: string) => ({ id, type, config, ...(name !== undefined && { name }) });

const graphOf = ({ name, subject, html }: Words) => ({
  nodes: [
    node('start', 'trigger', {}),
    node('hello', 'send_email', { subject, body: html, fromEmail: 'hello@hello.test', fromName: name, type: 'marketing' }, name),
    node('order', 'wait_for_event', { event: 'order.paid', timeout: { amount: 3, unit: 'days' } }),
    node('thanks', 'exit', { reason: subject.slice(0, 190) }),
    node('plan', 'switch', { field: 'data.company', cases: [{ branch: name.slice(0, 60), operator: 'equals', value: subject }] }),
    node('again', 'delay', { amount: 1, unit: 'weeks' }, subject.slice(0, 190)),
    node('mark', 'update_contact', { data: { note: subject } }),
  ],
  edges: [
    { from: 'start', to: 'hello' },
    { from: 'hello', to: 'order' },
    { from: 'order', to: 'thanks', branch: 'event' },
    { from: 'order', to: 'plan', branch: 'timeout' },
    { from: 'plan', to: 'again', branch: name.slice(0, 60) },
    { from: 'plan', to: 'mark', branch: 'default' },
  ],
});

/** An automation that is active, with somebody in it who waits. */
async function makeAutomation({ platform, post }: Ground, words: Words): Promise<Ids> {
  const trigger = 'event:user.joined';
  const { workflowId: automationId = '' } = await post('/v1/workflows', { name: words.name, trigger, graph: graphOf(words) });
  await platform.request('PATCH', `/v1/workflows/${automationId}`, { status: 'active' });
  await post('/v1/events', { name: 'user.joined', email: 'ada@example.com', data: { note: words.subject } });
  const executionId = await eventually('somebody waits in the automation', async () => {
    const { body } = await platform.get(`/v1/workflows/${automationId}/executions?status=waiting`);
    return body.data[0]?.executionId as string | undefined;
  });
  return { automationId, executionId };
}

/** An execution that has ended, of an automation that has called a server which answers with markup. */
async function makeCall(ground: Ground): Promise<string> {
  const { platform, post } = ground;
  const call = { url: `${await hostileServer(ground, 200)}?${encodeURIComponent(TEXT)}`, method: 'POST', body: { note: TEXT } };
  const graph = {
    nodes: [node('start', 'trigger', {}), node('call', 'webhook', call, NAME), node('end', 'exit', { reason: NAME })],
    edges: [
      { from: 'start', to: 'call' },
      { from: 'call', to: 'end', branch: 'success' },
    ],
  };
  const { workflowId } = await post('/v1/workflows', { name: NAME, trigger: 'event:user.called', graph });
  await platform.request('PATCH', `/v1/workflows/${workflowId}`, { status: 'active' });
  await post('/v1/events', { name: 'user.called', email: 'ada@example.com' });
  return eventually('the server was called', async () => {
    const { body } = await platform.get(`/v1/workflows/${workflowId}/executions?status=exited`);
    return body.data[0]?.executionId as string | undefined;
  });
}

/** Automations, of people who are there already. */
export const automations: Area = {
  screens: [
    ['automations', () => '/automations', 'Automations', PLANTED],
    ['automation', ({ automationId }) => `/automations/${automationId}`, PLANTED, 'ada@example.com'],
    ['edit-automation', ({ automationId }) => `/automations/${automationId}/edit`, /^Edit /, 'No errors.'],
    ['rehearsal', ({ automationId }) => `/automations/${automationId}/rehearse`, /^Rehearse /, 'Expected path'],
    ['execution', ({ executionId }) => `/executions/${executionId}`, 'ada@example.com', 'Event: order.paid'],
  ],
  example: (ground) =>
    makeAutomation(ground, { name: 'Welcome', subject: 'Welcome to Paper & Quill', html: letter('Good that you are here.') }),
  async planted(ground) {
    const ids = await makeAutomation(ground, { name: NAME, subject: TEXT, html: HTML });
    return { ...ids, calledId: await makeCall(ground) };
  },
};
