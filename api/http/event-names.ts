import type { z } from 'zod';
import { SYSTEM_EVENT_NAMES, canHappen } from '../../src/rules/system-events';
import { whatWasMeant } from './known-elsewhere';
import { fault } from './pieces';

/** Refuses a name, or a prefix such as `email.*`, that is the system's and that no event has (`invalid_enum_value`). */
export function requireCanHappen(pattern: string, ctx: z.RefinementCtx): void {
  if (!canHappen(pattern)) fault(ctx, 'invalid_enum_value', `No system event has this name${whatWasMeant(pattern, SYSTEM_EVENT_NAMES)}`);
}
