import { pause } from '../../platform/async';
import type { Core } from '../../platform/core';
import { recordReturned } from '../../sending/deliver';
import type { Returned } from '../../sending/deliver';
import { TRY_LATER } from './refusal';

/** Delays while waiting for the outcome of a message that is being sent, before its report is deferred. */
const WAITS_MS = [100, 200, 400, 800] as const;

/** Records what a report says of a message. Throws a refusal when the message stays on the wire: the reporter is to come again. */
export async function recordReport(core: Core, emailId: string, returned: Returned): Promise<void> {
  for (const waitMs of WAITS_MS) {
    if (await recordReturned(core, emailId, returned)) return;
    await pause(waitMs);
  }
  throw TRY_LATER;
}
