import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { ActionButton } from '../../parts/action-button.tsx';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { ArchiveButton } from '../../parts/archive.tsx';
import { useChanged, useDeleted, useOpened } from '../../parts/changed.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { TextField } from '../../parts/fields.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { count } from '../../parts/numbers.ts';
import { useMay } from '../../session/session.ts';

type Automation = Schemas['Workflow'];

interface Of {
  readonly automation: Automation;
}

/** Switches an automation on or off; what keeps it from running is said. */
export function Switch({ automation: { workflowId, status } }: Of): ReactNode {
  const isActive = status === 'active';
  return (
    <ActionButton
      label={isActive ? 'Pause' : 'Activate'}
      className={isActive ? undefined : 'primary'}
      act={() => api.updateWorkflow(workflowId, { status: isActive ? 'paused' : 'active' })}
      done={useChanged('automations')}
      said={isActive ? 'Automation paused.' : 'Automation activated.'}
    />
  );
}

function EnrollButton({ automation: { workflowId } }: Of): ReactNode {
  const [email, setEmail] = useState('');
  return (
    <FormDialog
      label="Enroll contact"
      title="Enroll a contact"
      save="Enroll contact"
      send={() => api.enrollContact(workflowId, { email })}
      done={useChanged('automations')}
      said="Contact enrolled."
    >
      <TextField label="Contact email" type="email" required value={email} change={setEmail} />
    </FormDialog>
  );
}

function DuplicateButton({ automation: { workflowId } }: Of): ReactNode {
  const opened = useOpened('automations');
  return (
    <ActionButton
      label="Duplicate automation"
      act={() => api.duplicateWorkflow(workflowId)}
      done={(copy) => opened(copy.workflowId)}
      said={({ name }) => `${name} created.`}
    />
  );
}

const CancelAll = ({ automation: { workflowId, active } }: Of): ReactNode => (
  <Confirm
    label="Cancel executions"
    title={`Cancel all ${count(active)} executions in progress?`}
    danger
    act={() => api.cancelAllExecutions(workflowId)}
    done={useChanged('automations')}
    said={({ cancelled }) => `Executions cancelled: ${count(cancelled)}`}
  >
    Each ends at its current step. You cannot undo this.
  </Confirm>
);

const DeleteButton = ({ automation: { workflowId, name } }: Of): ReactNode => (
  <Confirm
    label="Delete automation"
    title={`Delete ${name}?`}
    danger
    act={() => api.deleteWorkflow(workflowId)}
    done={useDeleted('automations')}
    said={`${name} deleted.`}
  >
    You cannot delete it while executions are in progress. Finished executions remain readable.
  </Confirm>
);

/** Shows buttons for an automation in its state. */
export function AutomationActions({ automation }: Of): ReactNode {
  const mayChange = useMay('change');
  const { workflowId, status, active } = automation;
  if (!mayChange) return null;
  return (
    <>
      <Link className="button" to={`/automations/${workflowId}/edit`}>
        Edit
      </Link>
      <Link className="button" to={`/automations/${workflowId}/rehearse`}>
        Rehearse
      </Link>
      {status === 'active' && <EnrollButton automation={automation} />}
      <DuplicateButton automation={automation} />
      {active > 0 && <CancelAll automation={automation} />}
      {status !== 'active' && <ArchiveButton kind="automation" id={workflowId} name={automation.name} archivedAt={automation.archivedAt} />}
      <DeleteButton automation={automation} />
      {!automation.archivedAt && <Switch automation={automation} />}
    </>
  );
}
