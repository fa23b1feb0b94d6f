import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from './api.ts';
import { ChoiceField } from './fields.tsx';

interface TopicProps {
  /** The topic's id; empty for none. */
  readonly value: string;
  readonly change: (topicId: string) => void;
}

/** Chooses the topic of marketing mail; nothing where the project has none. */
export function TopicField({ value, change }: TopicProps): ReactNode {
  const { data = [] } = useQuery({ queryKey: ['topics', 'names'], queryFn: () => api.listTopics().toArray() });
  if (data.length === 0 && value === '') return null;
  const known = data.some(({ topicId }) => topicId === value) || value === '';
  return (
    <ChoiceField
      label="Topic"
      value={value}
      change={change}
      options={[
        ['', 'None: all subscribed contacts'],
        ...data.map(({ topicId, name }) => [topicId, name] as const),
        ...(known ? [] : [[value, value] as const]),
      ]}
    />
  );
}
