import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { ArchivableList } from '../../parts/archivable-list.tsx';
import { Badge } from '../../parts/badge.tsx';
import { useChanged } from '../../parts/changed.ts';
import { When } from '../../parts/dates.tsx';
import { ChoiceField, TextField } from '../../parts/fields.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { count } from '../../parts/numbers.ts';
import { useMay } from '../../session/session.ts';
import { graphOf, wireOf } from './graph/model.ts';
import { REENTRIES, TriggerFields, TriggerWords } from './trigger-fields.tsx';

type Automation = Schemas['Workflow'];
type Query = NonNullable<Parameters<typeof api.listWorkflows>[0]>;

const STATUSES = [
  ['draft', 'Draft'],
  ['active', 'Active'],
  ['paused', 'Paused'],
] as const;

const COLUMNS = [
  {
    name: 'Automation',
    show: ({ workflowId, name }: Automation) => (
      <Link to={`/automations/${workflowId}`} className="row-link">
        {name}
      </Link>
    ),
    sortValue: ({ name }: Automation) => name,
  },
  {
    name: 'Status',
    show: ({ status }: Automation) => <Badge of={status} tone={status === 'active' ? 'good' : 'plain'} />,
    sortValue: ({ status }: Automation) => status,
  },
  {
    name: 'Trigger',
    show: ({ trigger }: Automation) => <TriggerWords trigger={trigger} />,
    sortValue: ({ trigger }: Automation) => trigger,
  },
  { name: 'In progress', show: ({ active }: Automation) => count(active), sortValue: ({ active }: Automation) => active },
  { name: 'Completed', show: ({ completed }: Automation) => count(completed), sortValue: ({ completed }: Automation) => completed },
  { name: 'Created', show: ({ createdAt }: Automation) => <When at={createdAt} />, sortValue: ({ createdAt }: Automation) => createdAt },
];

function NewAutomation(): ReactNode {
  const [name, setName] = useState('');
  const [trigger, setTrigger] = useState('event:');
  const [reentry, setReentry] = useState<Automation['reentry']>('never');
  const changed = useChanged('automations');
  const navigate = useNavigate();
  const send = async (): Promise<void> => {
    const { workflowId } = await api.createWorkflow({ name, trigger, reentry, graph: wireOf(graphOf(null)) });
    changed();
    void navigate(`/automations/${workflowId}/edit`);
  };
  return (
    <FormDialog label="New automation" title="New automation" primary save="Create automation" send={send}>
      <TextField label="Name" required value={name} change={setName} />
      <TriggerFields trigger={trigger} change={setTrigger} />
      <ChoiceField label="Re-entry" value={reentry} options={REENTRIES} change={(chosen) => setReentry(chosen as Automation['reentry'])} />
    </FormDialog>
  );
}

/** Shows every automation, newest first, with how many are under way in it. */
export const Automations = (): ReactNode => (
  <ArchivableList
    kind="automation"
    title="Automations"
    mayChange={useMay('change')}
    choice={{ by: 'status', label: 'Status', options: STATUSES }}
    rows={(query: Query) => api.listWorkflows({ ...query, limit: 50 })}
    idOf={({ workflowId }) => workflowId}
    columns={COLUMNS}
    create={<NewAutomation />}
    about="An automation sends messages after an event. Create one, choose its trigger, then add steps."
  />
);
