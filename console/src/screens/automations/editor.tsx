import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { useNavigate, useParams } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { faultsIn } from '../../parts/conditions/preview.tsx';
import { ChoiceField, TextField } from '../../parts/fields.tsx';
import { Faults } from '../../parts/form.tsx';
import { Card, Page } from '../../parts/page.tsx';
import { useSettled } from '../../parts/settled.ts';
import { Answer } from '../../parts/states.tsx';
import { SAVED, Unsaved, differs } from '../../parts/unsaved.tsx';
import { WindowFields } from '../../parts/window-fields.tsx';
import { windowsBody, writtenWindows } from '../../parts/windows.ts';
import type { Windows } from '../../parts/windows.ts';
import { Canvas } from './graph/canvas.tsx';
import { faultsByNode } from './graph/faults.ts';
import { connected, graphOf, wireOf } from './graph/model.ts';
import type { Graph } from './graph/model.ts';
import { AddNode, NodePanel, StepChoice } from './panel.tsx';
import { REENTRIES, TriggerFields } from './trigger-fields.tsx';

type Automation = Schemas['Workflow'];

/** Checks a graph a moment after it was last changed: what may be stored, and what can run. */
function useFaults(graph: Graph) {
  const settled = useSettled(graph);
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['automations', 'check', settled],
    queryFn: async () => ({ checked: settled, ...(await api.checkWorkflow({ graph: wireOf(settled) })) }),
    placeholderData: keepPreviousData,
  });
  const found = useMemo(() => {
    const faults = error ? faultsIn(error) : (data?.faults ?? []);
    return { faults: faultsByNode(error ? settled : (data?.checked ?? settled), faults), number: faults.length };
  }, [data, error, settled]);
  return { ...found, isChecked: settled === graph && !isPlaceholderData && (data !== undefined || error !== null) };
}

function Verdict({
  number,
  isChecked,
  own,
}: {
  number: number;
  isChecked: boolean;
  own: readonly { readonly message: string }[];
}): ReactNode {
  return (
    <div role="status">
      {!isChecked && <p className="hint">Checking …</p>}
      {isChecked && number === 0 && <p className="hint">No errors.</p>}
      {isChecked && number > 0 && <p className="fault">{number === 1 ? '1 error to fix.' : `${number} errors to fix.`}</p>}
      {own.map(({ message }) => (
        <p key={message} className="fault">
          {message}
        </p>
      ))}
    </div>
  );
}

interface SettingsProps {
  readonly written: Pick<Automation, 'name' | 'trigger' | 'reentry'> & { readonly windows: Windows | null };
  readonly put: (change: Partial<SettingsProps['written']>) => void;
}

const Settings = ({ written: { name, trigger, reentry, windows }, put }: SettingsProps): ReactNode => (
  <Card title="Automation">
    <fieldset>
      <legend className="unseen">The automation</legend>
      <TextField label="Name" required value={name} change={(text) => put({ name: text })} />
      <TriggerFields trigger={trigger} change={(chosen) => put({ trigger: chosen })} />
      <ChoiceField
        label="Re-entry"
        value={reentry}
        options={REENTRIES}
        change={(chosen) => put({ reentry: chosen as Automation['reentry'] })}
      />
      <WindowFields
        label="Send window for marketing mail"
        without="As in the settings of the project"
        windows={windows}
        change={(chosen) => put({ windows: chosen })}
      />
    </fieldset>
  </Card>
);

const NO_FAULTS = [] as const;

function Editor({ automation }: { readonly automation: Automation }): ReactNode {
  const kept: SettingsProps['written'] = {
    name: automation.name,
    trigger: automation.trigger,
    reentry: automation.reentry,
    windows: automation.windows ? writtenWindows(automation.windows) : null,
  };
  const [written, setWritten] = useState(kept);
  const [graph, setGraph] = useState(() => graphOf(automation.graph));
  const [selected, select] = useState<string | null>(null);
  const { faults, number, isChecked } = useFaults(graph);
  const marks = useMemo(() => ({ faults }), [faults]);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const saving = useMutation({
    mutationFn: () =>
      api.updateWorkflow(automation.workflowId, {
        ...written,
        windows: written.windows && windowsBody(written.windows),
        graph: wireOf(graph),
      }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['automations'] });
      void navigate(`/automations/${automation.workflowId}`, SAVED);
    },
  });
  const node = graph.nodes.find(({ id }) => id === selected) ?? null;
  return (
    // No form: what is drawn is not sent off by Enter in a field of one of its steps.
    <>
      <Unsaved is={differs(written, kept) || differs(graph, graphOf(automation.graph))} />
      <div className="editor-bar">
        <AddNode
          graph={graph}
          after={node}
          add={(grown, id) => {
            setGraph(grown);
            select(id);
          }}
        />
        <Verdict number={number} isChecked={isChecked} own={faults.get('') ?? NO_FAULTS} />
        <button type="button" className="primary" disabled={saving.isPending} onClick={() => saving.mutate()}>
          {automation.status === 'draft' ? 'Save draft' : 'Publish changes'}
        </button>
      </div>
      <Faults error={saving.error} />
      <div className="columns wide-first">
        <Canvas
          label="Automation graph"
          graph={graph}
          marks={marks}
          selected={selected}
          select={select}
          move={(id, position) =>
            setGraph((before) => ({ ...before, nodes: before.nodes.map((each) => (each.id === id ? { ...each, position } : each)) }))
          }
          connect={(from, branch, to) => setGraph((before) => connected(before, from, branch, to))}
        />
        <div>
          {node ? (
            <NodePanel graph={graph} node={node} faults={faults.get(node.id) ?? NO_FAULTS} change={setGraph} select={select} />
          ) : (
            <>
              <Settings written={written} put={(change) => setWritten((before) => ({ ...before, ...change }))} />
              <StepChoice graph={graph} faults={faults} select={select} />
            </>
          )}
        </div>
      </div>
    </>
  );
}

/** Draws an automation. */
export function EditAutomation(): ReactNode {
  const { id = '' } = useParams();
  // What is being drawn stays as it is drawn, whatever is stored meanwhile.
  const query = useQuery({ queryKey: ['automations', id, 'drawn'], queryFn: () => api.getWorkflow(id), staleTime: Infinity, gcTime: 0 });
  return (
    <Answer query={query} what="the automation">
      {(automation) => (
        <Page title={`Edit ${automation.name}`} under={{ label: automation.name, to: `/automations/${id}` }}>
          <Editor automation={automation} />
        </Page>
      )}
    </Answer>
  );
}
