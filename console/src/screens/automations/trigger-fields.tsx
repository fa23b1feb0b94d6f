import type { ReactNode } from 'react';
import { EventName, SegmentLink, SegmentName } from '../../parts/conditions/names.tsx';
import { ChoiceField } from '../../parts/fields.tsx';

const EVENT = 'event:';
const ENTER = 'segment:enter:';
const EXIT = 'segment:exit:';
const CREATED = 'contact.created';

const KINDS = [
  [EVENT, 'Event'],
  [CREATED, 'Contact created'],
  [ENTER, 'Contact enters segment'],
  [EXIT, 'Contact leaves segment'],
] as const;

const kindOf = (trigger: string): string => KINDS.find(([kind]) => trigger.startsWith(kind))?.[0] ?? EVENT;

/** Returns the name of the event that starts an automation; empty for none. */
export const eventOf = (trigger: string): string => (trigger.startsWith(EVENT) ? trigger.slice(EVENT.length) : '');

/** Describes what starts an automation. */
export function TriggerWords({ trigger }: { readonly trigger: string }): ReactNode {
  const kind = kindOf(trigger);
  const [, words = ''] = KINDS.find(([known]) => known === kind) ?? [];
  const rest = trigger.slice(kind.length);
  if (rest === '') return words;
  return (
    <>
      {words}: {kind === EVENT ? rest : <SegmentLink id={rest} />}
    </>
  );
}

export const REENTRIES = [
  ['never', 'Once per contact'],
  ['after_exit', 'Again, after the previous execution ends'],
  ['always', 'Every time'],
] as const;

interface Props {
  readonly trigger: string;
  readonly change: (trigger: string) => void;
}

/** Chooses what starts an automation. */
export function TriggerFields({ trigger, change }: Props): ReactNode {
  const kind = kindOf(trigger);
  const rest = trigger.slice(kind.length);
  const put = (name: string): void => change(kind + name);
  return (
    <>
      <ChoiceField label="Trigger" value={kind} options={KINDS} change={(chosen) => change(chosen)} />
      {kind === EVENT && <EventName label="Event name" value={rest} change={put} />}
      {(kind === ENTER || kind === EXIT) && <SegmentName label="Segment" value={rest} change={put} />}
    </>
  );
}
