import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { faultsIn } from '../../parts/conditions/preview.tsx';
import { SaveFaults, refuseOther } from '../../parts/saved-meanwhile.tsx';
import { say } from '../../parts/toasts/store.ts';
import { SAVED, changesOf } from '../../parts/unsaved.tsx';
import { windowsBody, writtenWindows } from '../../parts/windows.ts';
import type { Windows } from '../../parts/windows.ts';
import { graphOf, wireOf } from './graph/model.ts';
import type { Graph } from './graph/model.ts';

type Automation = Schemas['Workflow'];

/** An automation as it is edited. */
export interface Drawing {
  readonly written: Pick<Automation, 'name' | 'trigger' | 'reentry'> & { readonly windows: Windows | null };
  readonly graph: Graph;
}

export const drawingOf = ({ name, trigger, reentry, windows, graph }: Automation): Drawing => ({
  written: { name, trigger, reentry, windows: windows ? writtenWindows(windows) : null },
  graph: graphOf(graph),
});

const bodyOf = ({ written, graph }: Drawing) => ({
  ...written,
  windows: written.windows && windowsBody(written.windows),
  graph: wireOf(graph),
});

/** Returns what is stored: where there is no graph, the one that is drawn is a change. */
const storedOf = (automation: Automation) => ({
  ...bodyOf(drawingOf(automation)),
  graph: automation.graph && wireOf(graphOf(automation.graph)),
});

/** Returns what somebody else can change: in addition to what is drawn, that a draft is active by now. */
const watched = (automation: Automation) => ({ ...storedOf(automation), status: automation.status });

/** A page of the automation to go to once it is saved. */
export type NextPage = '' | '/rehearse';

interface Wanted {
  readonly page: NextPage;
  /** The version that is replaced knowingly, if it is no longer the one that the editor began with. */
  readonly seen?: Automation;
}

/** Returns what saves the changes of a drawing. Everything else stays as others have stored it. */
export function useSaving(automation: Automation, now: Drawing) {
  const { workflowId, status } = automation;
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async ({ page, seen = automation }: Wanted) => {
      const mine = changesOf(bodyOf(now), storedOf(automation));
      const stored = await api.getWorkflow(workflowId);
      refuseOther(stored, { ...mine, status }, changesOf(watched(stored), watched(seen)));
      queries.setQueryData(['automations', workflowId], await api.updateWorkflow(workflowId, mine));
      void queries.invalidateQueries({ queryKey: ['automations'] });
      void navigate(`/automations/${workflowId}${page}`, SAVED);
      say('Automation saved.');
    },
  });
}

/** Returns the key of the query for the automation that an editor begins with. */
export const editedKey = (workflowId: string) => ['automations', workflowId, 'edited'] as const;

// Faults of steps are shown at the steps, once.
const isInSteps = (error: Error | null): boolean => {
  const found = error === null ? [] : faultsIn(error);
  return found.length > 0 && found.every(({ path }) => path.startsWith('graph.'));
};

interface NotSavedProps {
  readonly automation: Automation;
  readonly saving: ReturnType<typeof useSaving>;
}

/** Says why an automation was not saved. */
export function NotSaved({ automation: { workflowId }, saving: { error, variables, mutate } }: NotSavedProps): ReactNode {
  const queries = useQueryClient();
  if (isInSteps(error))
    return (
      <p className="fault" role="alert">
        Not saved. Fix the errors that are marked at the steps.
      </p>
    );
  return (
    <SaveFaults<Automation>
      error={error}
      page={`/automations/${workflowId}`}
      replace={(seen) => mutate({ page: variables?.page ?? '', seen })}
      discard={(stored) => queries.setQueryData(editedKey(workflowId), stored)}
    />
  );
}
