import { aProject } from '../../../support/platform/app';

const app = aProject();

const TEMPLATE = { name: 'Welcome', subject: '{{#if', body: '{{open', fromEmail: 'nowhere', more: 1 };
const MESSAGE = { to: 'ada@example.com', subject: 'Hello', text: 'Hello' };

async function faultsOf(method: 'post' | 'patch', path: string, given: unknown): Promise<string[]> {
  const request = app.api()[method](path);
  const { body } = await request.send(given as object).expect(422);
  return (body.details as { path: string; code: string }[]).map(({ path: at, code }) => `${at} ${code}`).sort();
}

describe('faults of templates are reported with all others', () => {
  const all = ['body invalid_template', 'fromEmail invalid_string', 'more unrecognized_keys', 'subject invalid_template'];

  test('of a stored template', async () => {
    expect(await faultsOf('post', '/v1/templates', TEMPLATE)).toEqual(all);
    expect(await faultsOf('patch', '/v1/templates/tpl_any', TEMPLATE)).toEqual(all);
    expect(await faultsOf('post', '/v1/templates', { ...TEMPLATE, subject: 7 })).toContain('subject invalid_type');
    expect(await faultsOf('post', '/v1/templates', [])).toEqual([' invalid_type']);
  });

  test('of a message', async () => {
    const faults = await faultsOf('post', '/v1/send', { ...MESSAGE, subject: '{{#if', html: '{{/if}}', text: '{{> part}}', to: 'nobody' });
    expect(faults).toEqual(['html invalid_template', 'subject invalid_template', 'text invalid_template', 'to invalid_string']);
  });

  test('of a batch, also when they are in other messages', async () => {
    const messages = [{ ...MESSAGE, to: 'nobody' }, { ...MESSAGE, text: '{{#if' }, 7, MESSAGE];
    const faults = ['messages.0.to invalid_string', 'messages.1.text invalid_template', 'messages.2 invalid_type'];
    expect(await faultsOf('post', '/v1/send/batch', { messages })).toEqual(faults);
    expect(await faultsOf('post', '/v1/send/batch', { messages: 'none' })).toEqual(['messages invalid_type']);
  });
});
