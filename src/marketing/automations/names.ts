/** Returns the name of the events that a trigger matches. */
export function nameOfTrigger(trigger: string): string {
  if (trigger.startsWith('event:')) return trigger.slice('event:'.length);
  if (trigger.startsWith('segment:')) return trigger.startsWith('segment:enter:') ? 'segment.entered' : 'segment.exited';
  return trigger;
}
