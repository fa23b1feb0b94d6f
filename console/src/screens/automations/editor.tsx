import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Redo2, Undo2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import type { Fault } from '../../parts/conditions/editor.tsx';
import { faultsIn } from '../../parts/conditions/preview.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ChoiceField, TextField } from '../../parts/fields.tsx';
import { useLastSender } from '../../parts/from-field.tsx';
import type { Sender } from '../../parts/from-field.tsx';
import { useHistory } from '../../parts/history.ts';
import { Card, Page } from '../../parts/page.tsx';
import { useSettled } from '../../parts/settled.ts';
import { Answer, Loading } from '../../parts/states.tsx';
import { EDITED, Unsaved, differs } from '../../parts/unsaved.tsx';
import { WindowFields } from '../../parts/window-fields.tsx';
import { useCopiedStep } from './copied-step.ts';
import { Canvas } from './graph/canvas.tsx';
import { faultsByNode } from './graph/faults.ts';
import { connected, freeId, newStep, placeAfter, wireOf, withNode, withoutNode } from './graph/model.ts';
import type { Graph, NewStep, NodeType, Outcome } from './graph/model.ts';
import { AddNode, NodePanel, StepChoice, StepTypes } from './panel.tsx';
import { NotSaved, drawingOf, editedKey, useSaving } from './saving.tsx';
import type { Drawing, NextPage } from './saving.tsx';
import { useShortcuts } from './shortcuts.ts';
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
    const checked = data?.checked ?? settled;
    return {
      faults: faultsByNode(error ? settled : checked, faults),
      warnings: faultsByNode(checked, error ? [] : (data?.warnings ?? [])),
      number: faults.length,
    };
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
  readonly written: Drawing['written'];
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
        without="Project default"
        windows={windows}
        change={(chosen) => put({ windows: chosen })}
      />
    </fieldset>
  </Card>
);

const NO_FAULTS = [] as const;

const warningNotes = (warnings: ReadonlyMap<string, readonly Fault[]>): ReadonlyMap<string, string> =>
  new Map([...warnings].map(([id, own]) => [id, own.length === 1 ? '1 warning' : `${own.length} warnings`]));

interface SaveProps {
  readonly undo: (() => void) | null;
  readonly redo: (() => void) | null;
  readonly isDraft: boolean;
  readonly isPending: boolean;
  /** Saves, and goes to a page of the automation. */
  readonly save: (page: NextPage) => void;
}

const SaveBar = ({ undo, redo, isDraft, isPending, save }: SaveProps): ReactNode => (
  <div className="actions">
    <button type="button" aria-keyshortcuts="Control+Z" disabled={undo === null} onClick={() => undo?.()}>
      <Undo2 aria-hidden="true" size={16} /> Undo
    </button>
    <button type="button" aria-keyshortcuts="Control+Shift+Z" disabled={redo === null} onClick={() => redo?.()}>
      <Redo2 aria-hidden="true" size={16} /> Redo
    </button>
    {isDraft && (
      <button type="button" disabled={isPending} onClick={() => save('/rehearse')}>
        Save and rehearse
      </button>
    )}
    <button type="button" className="primary" disabled={isPending} onClick={() => save('')}>
      {isDraft ? 'Save draft' : 'Publish changes'}
    </button>
  </div>
);

/** Returns a drawing, the step that is chosen in it, and what changes them together. */
function useDrawing(automation: Automation) {
  const { now, put, undo, redo } = useHistory(() => drawingOf(automation));
  const { graph } = now;
  const trigger = graph.nodes.find(({ type }) => type === 'trigger') ?? null;
  const [selected, select] = useState<string | null>(trigger?.id ?? null);
  const node = graph.nodes.find(({ id }) => id === selected) ?? null;
  const draw = (change: (before: Graph) => Graph, key?: string): void => put((before) => ({ ...before, graph: change(before.graph) }), key);
  const add = (given: NewStep, at: Outcome | null): void => {
    draw((before) => withNode(before, given, at));
    select(freeId(graph, given.type));
  };
  const after = node ?? trigger;
  const addNext = (given: NewStep): void => add(given, after && placeAfter(graph, after));
  const remove = (): void => {
    if (!node || node.type === 'trigger') return;
    draw((before) => withoutNode(before, node.id));
    select(graph.edges.find(({ to }) => to === node.id)?.from ?? null);
  };
  return { now, put, undo, redo, draw, node, select, add, addNext, remove };
}

interface EditorProps {
  readonly automation: Automation;
  /** The sender of new messages. */
  readonly sender: Sender | null;
}

function Editor({ automation, sender }: EditorProps): ReactNode {
  const { now, put, undo, redo, draw, node, select, add, addNext, remove } = useDrawing(automation);
  const { written, graph } = now;
  const [adding, setAdding] = useState<Outcome | null>(null);
  const { faults, warnings, number, isChecked } = useFaults(graph);
  const marks = useMemo(() => ({ faults, notes: warningNotes(warnings) }), [faults, warnings]);
  const saving = useSaving(automation, now);
  const stepOf = (type: NodeType): NewStep => newStep(type, sender?.fromEmail);
  useShortcuts({ undo, redo, remove });
  const notPasted = useCopiedStep({ node, paste: addNext });
  return (
    // No form: what is drawn is not sent off by Enter in a field of one of its steps.
    <>
      <Unsaved is={differs(now, drawingOf(automation))} />
      <div className="editor-bar">
        <AddNode after={node} add={(type) => addNext(stepOf(type))} />
        <Verdict number={number} isChecked={isChecked} own={faults.get('') ?? NO_FAULTS} />
        <SaveBar
          {...{ undo, redo, isDraft: automation.status === 'draft', isPending: saving.isPending, save: (page) => saving.mutate({ page }) }}
        />
      </div>
      <NotSaved automation={automation} saving={saving} />
      {notPasted && (
        <p className="fault" role="alert">
          Not pasted. {notPasted.message}
        </p>
      )}
      <div className="columns wide-first">
        <Canvas
          label="Automation graph"
          graph={graph}
          marks={marks}
          selected={node?.id ?? null}
          select={select}
          add={setAdding}
          move={(id, position) =>
            draw(
              (before) => ({ ...before, nodes: before.nodes.map((each) => (each.id === id ? { ...each, position } : each)) }),
              `move ${id}`,
            )
          }
          connect={(from, branch, to) => draw((before) => connected(before, from, branch, to))}
        />
        <div>
          {(node === null || node.type === 'trigger') && (
            <Settings
              written={written}
              put={(change) =>
                put((before) => ({ ...before, written: { ...before.written, ...change } }), `settings ${Object.keys(change).join(' ')}`)
              }
            />
          )}
          {node ? (
            <NodePanel
              graph={graph}
              node={node}
              faults={faults.get(node.id) ?? NO_FAULTS}
              warnings={warnings.get(node.id) ?? NO_FAULTS}
              change={(changed, key) => draw(() => changed, key)}
              remove={remove}
              duplicate={() => addNext(node)}
              select={select}
            />
          ) : (
            <StepChoice graph={graph} faults={faults} select={select} />
          )}
        </div>
      </div>
      <Dialog title="Add a step" isOpen={adding !== null} close={() => setAdding(null)}>
        <StepTypes
          choose={(type) => {
            add(stepOf(type), adding);
            setAdding(null);
          }}
        />
      </Dialog>
    </>
  );
}

/** Draws an automation. */
export function EditAutomation(): ReactNode {
  const { id = '' } = useParams();
  const query = useQuery({ queryKey: editedKey(id), queryFn: () => api.getWorkflow(id), ...EDITED });
  const sender = useLastSender();
  return (
    <Answer query={query} what="the automation">
      {(automation) => (
        <Page title={`Edit ${automation.name}`} under={{ label: automation.name, to: `/automations/${id}` }}>
          {sender === undefined ? (
            <Loading what="the editor" />
          ) : (
            <Editor key={query.dataUpdatedAt} automation={automation} sender={sender} />
          )}
        </Page>
      )}
    </Answer>
  );
}
