import type { ReactNode } from 'react';
import { ConditionEditor } from '../../../parts/conditions/editor.tsx';
import type { Fault } from '../../../parts/conditions/editor.tsx';
import { NEW_TREE } from '../../../parts/conditions/language.ts';
import type { Tree } from '../../../parts/conditions/language.ts';
import { ChoiceField } from '../../../parts/fields.tsx';
import type { GraphNode, NodeType } from '../graph/model.ts';
import { SplitForm, SwitchForm } from './branches.tsx';
import { CallForm, EmitForm, ExitForm, MembershipForm, UpdateForm } from './deeds.tsx';
import { withMember } from './form.ts';
import type { FormProps } from './form.ts';
import { MessageForm } from './message.tsx';
import { DelayForm, DigestForm, EventWaitForm } from './waits.tsx';

interface ConfigProps extends FormProps {
  /** Path of the configuration in the graph, as faults name it. */
  readonly at: string;
  readonly faults: readonly Fault[];
  /** The messages of the automation, by step. */
  readonly sends: readonly (readonly [id: string, name: string])[];
}

function TriggerForm({ config, change, at, faults }: ConfigProps): ReactNode {
  const filter = config['filter'] as Tree | undefined;
  const put = (tree: Tree | undefined): void => change(withMember(config, 'filter', tree));
  return (
    <>
      <ChoiceField
        label="Contacts"
        value={filter ? 'some' : 'all'}
        change={(chosen) => put(chosen === 'some' ? NEW_TREE : undefined)}
        options={[
          ['all', 'Any contact'],
          ['some', 'Contacts that match conditions'],
        ]}
      />
      {filter && <ConditionEditor inAutomation at={`${at}.filter`} tree={filter} faults={faults} change={put} />}
    </>
  );
}

const QuestionForm = ({ config, change, at, faults, sends }: ConfigProps): ReactNode => (
  <ConditionEditor
    inAutomation
    at={`${at}.conditions`}
    tree={(config['conditions'] as Tree | undefined) ?? NEW_TREE}
    faults={faults}
    sends={sends}
    change={(conditions) => change({ conditions })}
  />
);

const FORMS: Readonly<Record<NodeType, (props: ConfigProps) => ReactNode>> = {
  trigger: TriggerForm,
  send_email: MessageForm,
  digest: DigestForm,
  delay: DelayForm,
  wait_for_event: EventWaitForm,
  condition: QuestionForm,
  switch: SwitchForm,
  split: SplitForm,
  update_contact: UpdateForm,
  add_to_segment: MembershipForm,
  remove_from_segment: MembershipForm,
  emit_event: EmitForm,
  webhook: CallForm,
  exit: ExitForm,
};

interface NodeFormProps extends Omit<ConfigProps, 'config' | 'change'> {
  readonly node: GraphNode;
  readonly change: (node: GraphNode) => void;
}

/** Configures a node of any type. */
export function ConfigForm({ node, change, at, faults, sends }: NodeFormProps): ReactNode {
  const Form = FORMS[node.type];
  return <Form config={node.config} at={at} faults={faults} sends={sends} change={(config) => change({ ...node, config })} />;
}
