import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { useChanged } from '../../parts/changed.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { When } from '../../parts/dates.tsx';
import { List } from '../../parts/list.tsx';
import { count } from '../../parts/numbers.ts';
import { Page } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';
import { useMay } from '../../session/session.ts';
import { TopicForm } from './topic-form.tsx';

type Topic = Schemas['TopicWithFigures'];

function Delete({ topic: { topicId, name } }: { readonly topic: Topic }): ReactNode {
  const changed = useChanged('topics');
  return (
    <Confirm label="Delete" title={`Delete ${name}?`} danger act={() => api.deleteTopic(topicId)} done={changed} said={`${name} deleted.`}>
      Contacts lose their choice for this topic. You cannot delete a topic that a template, campaign or automation uses. You cannot undo
      this.
    </Confirm>
  );
}

const COLUMNS = [
  {
    name: 'Topic',
    show: ({ name, description }: Topic) => (
      <>
        <strong>{name}</strong>
        {description !== null && <div className="hint">{description}</div>}
      </>
    ),
    sortValue: ({ name }: Topic) => name,
  },
  { name: 'Key', show: ({ key }: Topic) => <code>{key}</code>, sortValue: ({ key }: Topic) => key },
  { name: 'Default', show: ({ defaultSubscription }: Topic) => (defaultSubscription === 'in' ? 'Subscribed' : 'Not subscribed') },
  { name: 'Visibility', show: ({ visibility }: Topic) => <Badge of={visibility} />, sortValue: ({ visibility }: Topic) => visibility },
  {
    name: 'Recipients',
    show: ({ figures }: Topic) => (figures ? count(figures.recipients) : null),
    sortValue: ({ figures }: Topic) => figures?.recipients,
  },
  { name: 'Updated', show: ({ updatedAt }: Topic) => <When at={updatedAt} />, sortValue: ({ updatedAt }: Topic) => updatedAt },
];
const ACTIONS = {
  name: 'Action',
  show: (topic: Topic) => (
    <span className="actions">
      <TopicForm topic={topic} />
      <Delete topic={topic} />
    </span>
  ),
};

/** Shows the kinds of marketing mail that contacts can choose or leave. */
export function Topics(): ReactNode {
  const mayChange = useMay('change');
  return (
    <Page title="Topics" actions={mayChange && <TopicForm topic={null} />}>
      <List
        caption="topics"
        queryKey={['topics', 'list']}
        rows={() => api.listTopics({ figures: true })}
        idOf={({ topicId }) => topicId}
        columns={mayChange ? [...COLUMNS, ACTIONS] : COLUMNS}
        empty={
          <Empty title="No topics yet">
            <p>A topic is a kind of marketing mail, like news or offers. Contacts choose theirs on the preference page.</p>
          </Empty>
        }
      />
    </Page>
  );
}
