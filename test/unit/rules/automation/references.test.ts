import { readFileSync } from 'node:fs';
import { CreateWorkflow } from '../../../../api/automations/schemas';
import { checkGraph } from '../../../../src/rules/automation/check';
import type { Graph } from '../../../../src/rules/automation/graph';
import { references } from '../../../../src/rules/automation/references';
import { texts } from '../../../../src/rules/automation/texts';

const full: Graph = {
  nodes: [
    {
      id: 't',
      type: 'trigger',
      config: { filter: { logic: 'and', groups: [{ filters: [{ field: 'segment.seg_a', operator: 'memberOf' }] }] } },
    },
    { id: 'm1', type: 'send_email', config: { templateId: 'tpl_1', variables: { a: '{{not rendered}}' } } },
    {
      id: 'm2',
      type: 'send_email',
      config: { subject: 'S {{a}}', body: 'B', fromEmail: 'a@b.test', fromName: 'N', previewText: 'P', type: 'marketing' },
    },
    {
      id: 'c',
      type: 'condition',
      config: {
        conditions: {
          logic: 'or',
          groups: [
            {
              filters: [],
              conditions: {
                logic: 'and',
                groups: [
                  {
                    filters: [
                      { field: 'event.shop/order.placed', operator: 'triggered' },
                      { field: 'segment.seg_b', operator: 'memberOf' },
                    ],
                  },
                ],
              },
            },
          ],
        },
      },
    },
    { id: 's', type: 'switch', config: { field: 'event.login', cases: [{ branch: 'a', operator: 'triggered' }] } },
    { id: 'w', type: 'wait_for_event', config: { event: 'email.opened' } },
    { id: 'w2', type: 'wait_for_event', config: { event: 'email.opened' } },
    { id: 'e', type: 'emit_event', config: { name: 'done', data: { text: '{{literal}}' } } },
    { id: 'a', type: 'add_to_segment', config: { segmentId: 'seg_c' } },
    { id: 'r', type: 'remove_from_segment', config: { segmentId: 'seg_c' } },
    { id: 'u', type: 'update_contact', config: { firstName: null, locale: 'de', subscribed: true, data: { list: ['x', 1, { y: 'z' }] } } },
    {
      id: 'h',
      type: 'webhook',
      config: { url: 'https://example.com/{{a}}', method: 'POST', headers: { 'X-A': 'h' }, body: [{ b: 'c' }] },
    },
  ],
  edges: [],
};

test('references of a graph name what it refers to', () => {
  expect(references(full)).toEqual({
    templateIds: [{ id: 'tpl_1', path: 'graph.nodes.1.config.templateId' }],
    segmentIds: [
      { id: 'seg_c', path: 'graph.nodes.8.config.segmentId', member: 'changed' },
      { id: 'seg_c', path: 'graph.nodes.9.config.segmentId', member: 'changed' },
      { id: 'seg_a', path: 'graph.nodes.0.config.filter.groups.0.filters.0.field', member: 'asked' },
      { id: 'seg_b', path: 'graph.nodes.3.config.conditions.groups.0.conditions.groups.0.filters.1.field', member: 'asked' },
    ],
    fromEmails: [{ email: 'a@b.test', path: 'graph.nodes.2.config.fromEmail' }],
    urls: [{ url: 'https://example.com/{{a}}', path: 'graph.nodes.11.config.url' }],
    listensTo: ['email.opened'],
    asksAbout: ['shop/order.placed', 'login'],
    emits: ['done'],
  });
});

test('texts of a graph are those in which placeholders are replaced, and no others', () => {
  expect(texts(full)).toEqual([
    { path: 'graph.nodes.2.config.subject', text: 'S {{a}}' },
    { path: 'graph.nodes.2.config.body', text: 'B' },
    { path: 'graph.nodes.2.config.previewText', text: 'P' },
    { path: 'graph.nodes.10.config.locale', text: 'de' },
    { path: 'graph.nodes.10.config.data.list.0', text: 'x' },
    { path: 'graph.nodes.10.config.data.list.2.y', text: 'z' },
    { path: 'graph.nodes.11.config.url', text: 'https://example.com/{{a}}' },
    { path: 'graph.nodes.11.config.headers.X-A', text: 'h' },
    { path: 'graph.nodes.11.config.body.0.b', text: 'c' },
  ]);
});

test('the graph in the documentation can run', () => {
  const example = /```json\n([^]*?)```/.exec(readFileSync('docs/automations.md', 'utf8'))?.[1] ?? '';
  const { graph } = CreateWorkflow.parse(JSON.parse(example));
  expect(graph && checkGraph(graph)).toEqual([]);
});
