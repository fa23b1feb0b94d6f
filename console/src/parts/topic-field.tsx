import type { ReactNode } from 'react';
import { ChoiceField } from './fields.tsx';
import { useTopics } from './topics.ts';

interface TopicProps {
  /** The topic's id; empty for none. */
  readonly value: string;
  readonly change: (topicId: string) => void;
}

/** Chooses the topic of marketing mail; nothing where the project has none. */
export function TopicField({ value, change }: TopicProps): ReactNode {
  const topics = useTopics();
  if (topics.length === 0 && value === '') return null;
  const known = topics.some(({ topicId }) => topicId === value) || value === '';
  return (
    <ChoiceField
      label="Topic"
      value={value}
      change={change}
      options={[
        ['', 'None: all subscribed contacts'],
        ...topics.map(({ topicId, name }) => [topicId, name] as const),
        ...(known ? [] : [[value, value] as const]),
      ]}
    />
  );
}
