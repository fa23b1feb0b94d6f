import type { ReactNode } from 'react';
import { matchesPattern } from '../../../src/rules/event-patterns.ts';
import { SYSTEM_EVENT_NAMES, SYSTEM_EVENT_WORDS } from '../../../src/rules/system-events.ts';
import type { SystemEventName } from '../../../src/rules/system-events.ts';
import { CheckField } from './fields.tsx';
import './events-field.css';

const ALL = '*';

/** The resource that an event is about, by the beginning of its name. */
const RESOURCES: readonly (readonly [beginning: RegExp, title: string])[] = [
  [/^email\.(campaign|feed)_/, 'Campaigns'],
  [/^email\.domain_/, 'Domains'],
  [/^email\./, 'Email'],
  [/^contact\./, 'Contacts'],
  [/^segment\./, 'Segments'],
  [/^workflow\./, 'Automations'],
];

const titleOf = (name: string): string => RESOURCES.find(([beginning]) => beginning.test(name))?.[1] ?? 'Other';

const GROUPS = [...new Set(SYSTEM_EVENT_NAMES.map(titleOf))].map(
  (title) => [title, SYSTEM_EVENT_NAMES.filter((name) => titleOf(name) === title)] as const,
);

const isChosen = (events: readonly string[], name: string): boolean => events.some((pattern) => matchesPattern(pattern, name));

/** Returns whether a name or a prefix stands for events of the system; all others are the project's own. */
export const isOfSystem = (pattern: string): boolean => SYSTEM_EVENT_NAMES.some((name) => matchesPattern(pattern, name));

const withEvents = (events: readonly string[], names: readonly string[]): readonly string[] => [
  ...events,
  ...names.filter((name) => !isChosen(events, name)),
];

/** Removes events; a prefix that stands for them gives way to the other events that it stands for. */
const withoutEvents = (events: readonly string[], names: readonly string[]): readonly string[] =>
  events.flatMap((pattern) => {
    if (!names.some((name) => matchesPattern(pattern, name))) return [pattern];
    return SYSTEM_EVENT_NAMES.filter((name) => matchesPattern(pattern, name) && !names.includes(name));
  });

interface Props {
  /** Names and prefixes of events of the system, or `*`. */
  readonly events: readonly string[];
  readonly change: (events: readonly string[]) => void;
}

interface GroupProps extends Props {
  readonly title: string;
  readonly names: readonly SystemEventName[];
}

function Group({ title, names, events, change }: GroupProps): ReactNode {
  const chosen = names.filter((name) => isChosen(events, name));
  const put = (of: readonly string[], checked: boolean): void => change((checked ? withEvents : withoutEvents)(events, of));
  return (
    <details className="event-group">
      <summary>
        {title} <span className="hint">{`${chosen.length} of ${names.length}`}</span>
      </summary>
      <fieldset disabled={events.includes(ALL)}>
        <legend className="unseen">{title}</legend>
        <CheckField label={`All: ${title}`} checked={chosen.length === names.length} change={(checked) => put(names, checked)} />
        {names.map((name) => (
          <CheckField
            key={name}
            label={name}
            hint={SYSTEM_EVENT_WORDS[name]}
            checked={chosen.includes(name)}
            change={(checked) => put([name], checked)}
          />
        ))}
      </fieldset>
    </details>
  );
}

/** Chooses events of the system, by resource. */
export const EventsField = ({ events, change }: Props): ReactNode => (
  <fieldset className="event-choice">
    <legend>Events</legend>
    <CheckField
      label="All events"
      checked={events.includes(ALL)}
      change={(checked) => change(checked ? [ALL, ...events] : events.filter((name) => name !== ALL))}
    />
    {GROUPS.map(([title, names]) => (
      <Group key={title} {...{ title, names, events, change }} />
    ))}
  </fieldset>
);
