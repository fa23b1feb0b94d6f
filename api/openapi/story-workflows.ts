import { CONTACT, DOMAIN, SECOND, WORKFLOW, by, sampleId } from './story-parts';
import type { StoryStep } from './story-parts';

const GRAPH = {
  nodes: [
    { id: 'start', type: 'trigger', config: {} },
    { id: 'wait', type: 'delay', config: { amount: 1, unit: 'days' } },
    {
      id: 'mail',
      type: 'send_email',
      config: { subject: 'How is it going?', body: '<p>Hello {{firstName | "there"}}</p>', fromEmail: `hello@${DOMAIN}` },
    },
  ],
  edges: [
    { from: 'start', to: 'wait' },
    { from: 'wait', to: 'mail' },
  ],
};

/** Examples of the operations of automations. */
export const WORKFLOWS: readonly StoryStep[] = [
  ['createWorkflow', { body: { name: 'Welcome', trigger: 'event:user.signed_up', reentry: 'never', graph: GRAPH } }],
  ['listWorkflows', { query: { status: 'draft' } }],
  ['getWorkflow', by(WORKFLOW)],
  ['checkWorkflow', { body: { graph: GRAPH } }],
  ['certifyWorkflow', by(WORKFLOW)],
  ['rehearseWorkflow', by(WORKFLOW, { body: { contact: { email: 'ada@example.com', firstName: 'Ada' }, until: 'P7D' } })],
  ['updateWorkflow', by(WORKFLOW, { body: { status: 'active' } })],
  ['duplicateWorkflow', by(WORKFLOW)],
  ['enrollContact', by(WORKFLOW, { body: { email: 'ada@example.com', data: { plan: 'pro' } } })],
  ['listExecutions', by(WORKFLOW, { query: { contactId: CONTACT } })],
  ['getExecution', { path: { executionId: sampleId('exe') } }],
  ['getWorkflowStats', by(WORKFLOW)],
  ['getWorkflowTimeline', by(WORKFLOW, { query: { step: 'day' } })],
  ['cancelExecution', { path: { id: WORKFLOW, executionId: sampleId('exe') } }],
  ['cancelAllExecutions', by(WORKFLOW)],
  ['archiveWorkflow', by(SECOND)],
  ['unarchiveWorkflow', by(SECOND)],
  ['deleteWorkflow', by(SECOND)],
];
