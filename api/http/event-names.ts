import type { z } from 'zod';
import { isSystemName } from '../../src/records/events';
import { SYSTEM_EVENT_NAMES } from '../../src/rules/system-events';
import { whatWasMeant } from './known-elsewhere';
import { eventName, fault } from './pieces';

/** Names of the system are all known: what listens to another one would wait forever. */
function canHappen(pattern: string): boolean {
  if (!isSystemName(pattern)) return true;
  return pattern.endsWith('.*')
    ? SYSTEM_EVENT_NAMES.some((name) => name.startsWith(pattern.slice(0, -1)))
    : (SYSTEM_EVENT_NAMES as readonly string[]).includes(pattern);
}

/** Refuses a name, or a prefix such as `email.*`, that is the system's and that no event has (`invalid_enum_value`). */
export function requireCanHappen(pattern: string, ctx: z.RefinementCtx): void {
  if (!canHappen(pattern)) fault(ctx, 'invalid_enum_value', `No system event has this name${whatWasMeant(pattern, SYSTEM_EVENT_NAMES)}`);
}

/** The name of an event that can happen: the caller's, or one of the system's. */
export const awaitedEventName = eventName.superRefine(requireCanHappen);
