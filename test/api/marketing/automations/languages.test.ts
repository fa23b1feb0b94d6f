import { activate, chain, contact, node, play, send as sendNode } from '../../../support/calls/automations';
import { faultsOf } from '../../../support/calls/campaigns';
import { parsesDuring, turnsDuring } from '../../../support/checks/counted';
import { onTheWireOf } from '../../../support/checks/wire';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

const DE = { subject: 'Hallo {{firstName | "du"}}', body: '<p>Willkommen</p>', fromName: 'Das Team' };

const DESIGN = { version: 1, blocks: [{ kind: 'text', id: 'a', lines: [] }] };

async function mailTo(email: string) {
  const [row] = await stored.emails.all({ to: email, source: 'workflow' });
  return (await onTheWireOf(app, row?._id ?? '')).parsed;
}

test('a message of an automation is in the language of its contact', async () => {
  const workflowId = await activate(
    app,
    chain(sendNode('mail', { subject: 'Hello', fromName: 'The team', variants: { de: { ...DE, bodyBlocks: DESIGN } } })),
  );
  const { graph } = (await app.api().get(`/v1/workflows/${workflowId}`).expect(200)).body.data;
  expect(graph.nodes[1].config.variants.de).toEqual({ ...DE, bodyBlocks: DESIGN });
  const read: unknown[] = [];
  for (const [email, locale] of [
    ['wien@example.com', 'de-AT'],
    ['york@example.com', 'en-US'],
  ] as const) {
    await play(app, workflowId, await contact(app, { email, locale }));
    const { subject, headers, from } = await mailTo(email);
    read.push([subject, headers.get('content-language'), from?.value[0]?.name]);
  }
  expect(read).toEqual([
    ['Hallo du', 'de', 'Das Team'],
    ['Hello', undefined, 'The team'],
  ]);
});

test('a fault in a variant is found when the automation is activated, at its place', async () => {
  const graph = chain(sendNode('mail', { variants: { de: { ...DE, subject: '{{#if x}}' } } }));
  const made = await app.api().post('/v1/workflows').send({ name: 'Welcome', trigger: 'event:signed.up', graph });
  const refused =
    made.status === 422 ? made : await app.api().patch(`/v1/workflows/${made.body.data.workflowId}`).send({ status: 'active' }).expect(422);
  expect(faultsOf(refused.body)).toEqual([['graph.nodes.1.config.variants.de.subject', 'invalid_template']]);
});

test('translations that its messages lack are found by the check and told when it is activated, and stop nothing', async () => {
  const translations = { greeting: { default: 'Hello', de: 'Hallo', fr: 'Bonjour' }, thanks: { default: 'Thanks', fr: 'Merci' } };
  await app.api().put('/v1/translations').send({ translations }).expect(200);
  const body = '<p>{{t "greeting"}}, {{t "thanks"}}, {{t "bye"}}, {{t "ps" | "PS"}}</p>';
  const template = { name: 'Thanks', subject: '{{t "greeting"}}', body: '<p>{{t "gone"}}</p>', fromEmail: 'team@hello.test' };
  const { templateId } = (await app.api().post('/v1/templates').send(template).expect(201)).body.data;
  const graph = chain(sendNode('mail', { body }), node('stored', 'send_email', { templateId }));
  const checked = (await app.api().post('/v1/workflows/check').send({ graph }).expect(200)).body.data;
  const warnings = [
    ['graph.nodes.1.config.body', 'There is no translation {{t "bye"}}: readers see nothing in its place'],
    ['graph.nodes.1.config.body', 'No text in de for {{t "thanks"}}: readers get the default'],
    ['graph.nodes.2.config.templateId', 'There is no translation {{t "gone"}}: readers see nothing in its place'],
  ];
  const found = (checked.warnings as { path: string; message: string }[]).map(({ path, message }) => [path, message]);
  expect({ faults: checked.faults, found }).toEqual({ faults: [], found: warnings });
  const made = await app.api().post('/v1/workflows').send({ name: 'Thanks', trigger: 'event:thanked', graph }).expect(201);
  const activated = await app.api().patch(`/v1/workflows/${made.body.data.workflowId}`).send({ status: 'active' }).expect(200);
  expect(activated.get('X-Lettermill-Warning')).toContain('config.body: There is no translation {{t "bye"}}');
  await app.api().put('/v1/translations').send({ translations: {} }).expect(200);
});

test('a template that several steps send is read and compiled once, as large work', async () => {
  const large = `<p>${'x'.repeat(70_000)} {{t "sent.twice"}}</p>`;
  const template = { name: 'Twice', subject: 'Hello', body: large, fromEmail: 'team@hello.test' };
  const { templateId } = (await app.api().post('/v1/templates').send(template).expect(201)).body.data;
  const graph = chain(node('first', 'send_email', { templateId }), node('second', 'send_email', { templateId }));
  const reading = jest.spyOn(stored.templates.collection, 'find');
  let paths: string[] = [];
  const check = async () => {
    const { warnings } = (await app.api().post('/v1/workflows/check').send({ graph }).expect(200)).body.data;
    paths = (warnings as { path: string }[]).map(({ path }) => path);
  };
  let turns = 0;
  const parses = await parsesDuring('sent.twice', async () => (turns = await turnsDuring(app.keys.projectId, check)));
  const reads = reading.mock.calls.filter(([, options]) => options?.projection?.['bodyBlocks'] === 0).length;
  reading.mockRestore();
  expect({ paths, reads, parses, turns }).toEqual({
    paths: ['graph.nodes.1.config.templateId', 'graph.nodes.2.config.templateId'],
    reads: 1,
    parses: 1,
    turns: 1,
  });
});
