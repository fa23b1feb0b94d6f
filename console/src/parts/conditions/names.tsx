import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../api.ts';
import { isOffered } from '../archive.tsx';
import { useCampaigns } from '../campaigns.ts';
import { ChoiceField, TextField } from '../fields.tsx';
import { Suggested } from '../suggested.tsx';
import { useContactFields } from './contact-fields.ts';
import { MESSAGE_STATES, fieldOf, withField } from './language.ts';
import type { Filter, Subject } from './language.ts';

/** Limit for suggestions; other names can be typed, or stay unchanged. */
const MOST = 200;
const KEPT_MS = 60_000;

interface NameProps {
  readonly label: string;
  readonly value: string;
  readonly change: (value: string) => void;
}

/** Returns the names of events that the project has seen; none until they are loaded. */
export function useEventNames(): readonly string[] {
  const { data = [] } = useQuery({
    queryKey: ['event-names'],
    staleTime: KEPT_MS,
    queryFn: () => api.listEventNames().toArray(MOST),
  });
  return data.map(({ name }) => name);
}

export const EventName = ({ label, value, change }: NameProps): ReactNode => (
  <Suggested required label={label} value={value} change={change} names={useEventNames()} />
);

function FieldName({ label, value, change }: NameProps): ReactNode {
  const names = useContactFields().map(({ field }) => field);
  return <Suggested required label={label} value={value} change={change} names={names} />;
}

interface PickProps extends NameProps {
  readonly rows: readonly (readonly [id: string, name: string])[];
}

/** Shows a choice among things with names; one that is not among them is shown by its id. */
export const Pick = ({ label, value, change, rows }: PickProps): ReactNode => (
  <ChoiceField
    label={label}
    value={value}
    change={change}
    options={[...(rows.some(([id]) => id === value) ? [] : [[value, value === '' ? 'Choose …' : value] as const]), ...rows]}
  />
);

interface SegmentProps extends NameProps {
  /** Restricts the list to one type. */
  readonly type?: 'static';
}

/** Reads the newest segments of the project. */
export const useSegments = () =>
  useQuery({
    queryKey: ['segments', 'names'],
    staleTime: KEPT_MS,
    queryFn: () => api.listSegments({ limit: 100 }).toArray(MOST),
  });

/** Names a segment, and leads to it; one that is not among the newest is named by its id. */
export function SegmentLink({ id }: { readonly id: string }): ReactNode {
  const { data = [] } = useSegments();
  return <Link to={`/segments/${id}`}>{data.find(({ segmentId }) => segmentId === id)?.name ?? id}</Link>;
}

export function SegmentName({ label, value, change, type }: SegmentProps): ReactNode {
  const { data = [] } = useSegments();
  const rows = data.filter((segment) => (type === undefined || segment.type === type) && isOffered(segment, segment.segmentId === value));
  return <Pick label={label} value={value} change={change} rows={rows.map(({ segmentId, name }) => [segmentId, name])} />;
}

/** Returns the newest campaigns, by id and name; none until they are loaded. */
export const useCampaignNames = (): readonly (readonly [id: string, name: string])[] =>
  (useCampaigns().data ?? []).map(({ campaignId, name }) => [campaignId, name]);

interface Props {
  readonly subject: Subject;
  readonly rest: string;
  readonly filter: Filter;
  readonly change: (filter: Filter) => void;
  /** The messages of the automation that the condition is of, by step. */
  readonly sends: readonly (readonly [id: string, name: string])[];
}

/** Choices of an automation's own messages begin with this; no id of a campaign does. */
const STEP = 'step:';

function MessageName({ filter, change, sends }: Pick<Props, 'filter' | 'change' | 'sends'>): ReactNode {
  const rows = useCampaignNames();
  const steps = sends.map(([id, name]) => [STEP + id, name] as const);
  const { campaignId, nodeId, ...any } = filter;
  const choose = (value: string): void => {
    if (value.startsWith(STEP)) change({ ...any, nodeId: value.slice(STEP.length) });
    else change(value === '' ? any : { ...any, campaignId: value });
  };
  const value = nodeId === undefined ? (campaignId ?? '') : STEP + nodeId;
  return <Pick label="Email" value={value} change={choose} rows={[['', 'Any email'], ...steps, ...rows]} />;
}

/** Shows the name that follows a subject, if it takes one. */
export function SubjectName({ subject, rest, filter, change, sends }: Props): ReactNode {
  const rename = (name: string): void => change(withField(filter, fieldOf(subject, name)));
  switch (subject) {
    case 'data':
      return <FieldName label="Field" value={rest} change={rename} />;
    case 'trigger':
      return <TextField label="Path in the event data" required value={rest} change={rename} />;
    case 'items':
      return <TextField label="Path in an item" hint="For example data.sku" required value={rest} change={rename} />;
    case 'event':
      return <EventName label="Event name" value={rest} change={rename} />;
    case 'segment':
      return <SegmentName label="Segment" value={rest} change={rename} />;
    case 'message':
      return (
        <>
          <ChoiceField label="Activity" value={rest} change={rename} options={MESSAGE_STATES.map((state) => [state, state])} />
          <MessageName filter={filter} change={change} sends={sends} />
        </>
      );
    default:
      return null;
  }
}
