import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { ArchiveButton } from '../../parts/archive.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { TextField } from '../../parts/fields.tsx';
import { Faults, FormDialog } from '../../parts/form.tsx';
import { count } from '../../parts/numbers.ts';
import { say } from '../../parts/toasts/store.ts';
import { useMay } from '../../session/session.ts';

type Automation = Schemas['Workflow'];

interface Of {
  readonly automation: Automation;
}

function useChanged(): () => void {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: ['automations'] });
}

/** Switches an automation on or off; what keeps it from running is said. */
export function Switch({ automation: { workflowId, status } }: Of): ReactNode {
  const to = status === 'active' ? 'paused' : 'active';
  const changed = useChanged();
  const switching = useMutation({
    mutationFn: () => api.updateWorkflow(workflowId, { status: to }),
    onSuccess: () => {
      changed();
      say(to === 'active' ? 'Automation activated.' : 'Automation paused.');
    },
  });
  return (
    <>
      <button
        type="button"
        className={to === 'active' ? 'primary' : undefined}
        disabled={switching.isPending}
        onClick={() => switching.mutate()}
      >
        {to === 'active' ? 'Activate' : 'Pause'}
      </button>
      <Faults error={switching.error} />
    </>
  );
}

function EnrollButton({ automation: { workflowId } }: Of): ReactNode {
  const [email, setEmail] = useState('');
  const changed = useChanged();
  return (
    <FormDialog
      label="Enroll contact"
      title="Enroll a contact"
      save="Enroll contact"
      send={() => api.enrollContact(workflowId, { email })}
      done={changed}
      said="Contact enrolled."
    >
      <TextField label="Contact email" type="email" required value={email} change={setEmail} />
    </FormDialog>
  );
}

function DuplicateButton({ automation: { workflowId } }: Of): ReactNode {
  const changed = useChanged();
  const navigate = useNavigate();
  const duplicating = useMutation({
    mutationFn: () => api.duplicateWorkflow(workflowId),
    onSuccess: (copy) => {
      changed();
      void navigate(`/automations/${copy.workflowId}`);
      say(`${copy.name} created.`);
    },
  });
  return (
    <>
      <button type="button" disabled={duplicating.isPending} onClick={() => duplicating.mutate()}>
        Duplicate automation
      </button>
      <Faults error={duplicating.error} />
    </>
  );
}

const CancelAll = ({ automation: { workflowId, active } }: Of): ReactNode => (
  <Confirm
    label="Cancel executions"
    title={`Cancel all ${count(active)} executions in progress?`}
    danger
    act={() => api.cancelAllExecutions(workflowId)}
    done={useChanged()}
    said={({ cancelled }) => `Executions cancelled: ${count(cancelled)}`}
  >
    Each ends at its current step. You cannot undo this.
  </Confirm>
);

function DeleteButton({ automation: { workflowId, name } }: Of): ReactNode {
  const changed = useChanged();
  const navigate = useNavigate();
  const done = (): void => {
    changed();
    void navigate('/automations');
  };
  return (
    <Confirm
      label="Delete automation"
      title={`Delete ${name}?`}
      danger
      act={() => api.deleteWorkflow(workflowId)}
      done={done}
      said={`${name} deleted.`}
    >
      You cannot delete it while executions are in progress. Finished executions remain readable.
    </Confirm>
  );
}

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
