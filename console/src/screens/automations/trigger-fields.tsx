import type { ReactNode } from 'react';
import { EventName, SegmentName } from '../../parts/conditions/names.tsx';
import { ChoiceField } from '../../parts/fields.tsx';

const EVENT = 'event:';
const ENTER = 'segment:enter:';
const EXIT = 'segment:exit:';
const CREATED = 'contact.created';

const KINDS = [
  [EVENT, 'An event'],
  [CREATED, 'A contact is added'],
  [ENTER, 'A contact comes into a segment'],
  [EXIT, 'A contact leaves a segment'],
] as const;

const kindOf = (trigger: string): string => KINDS.find(([kind]) => trigger.startsWith(kind))?.[0] ?? EVENT;

/** What starts an automation, in words. */
export function triggerWords(trigger: string): string {
  const kind = kindOf(trigger);
  const [, words = ''] = KINDS.find(([known]) => known === kind) ?? [];
  const rest = trigger.slice(kind.length);
  return rest === '' ? words : `${words}: ${rest}`;
}

export const REENTRIES = [
  ['never', 'Once only'],
  ['after_exit', 'Again, when the one before is over'],
  ['always', 'Each time'],
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
      <ChoiceField label="Starts when there is" value={kind} options={KINDS} change={(chosen) => change(chosen)} />
      {kind === EVENT && <EventName label="Name of the event" value={rest} change={put} />}
      {(kind === ENTER || kind === EXIT) && <SegmentName label="Segment" value={rest} change={put} />}
    </>
  );
}
