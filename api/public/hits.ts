import { setTimeout as wait } from 'node:timers/promises';
import type { Request } from 'express';
import type { Core } from '../../src/platform/core';
import { maskTokens } from '../../src/records/emails';
import { HitRecorder, machineReason } from '../../src/sending/tracking';
import type { HitKind } from '../../src/sending/tracking';

/** The longest that a reader waits for us to write down that they read. */
const PATIENCE_MS = 300;

export type NoteHit = (req: Request, kind: HitKind, emailId: string, url: string | null) => Promise<void>;

/** Records who opens and clicks. Resolves when that is done, fails, or takes too long: the reader is answered in any case. */
export function hitNoter({ log }: Pick<Core, 'log'>, ready: () => boolean): NoteHit {
  const recorder = new HitRecorder();
  const lost = (emailId: string, kind: HitKind, why: string): void => log.warn({ emailId, kind, failure: why }, 'A hit was not recorded');
  return async (req, kind, emailId, url) => {
    if (!ready()) return lost(emailId, kind, 'NotConnected');
    // A link may carry the tokens of its own message.
    const shown = url && maskTokens(url);
    const hit = { emailId, kind, url: shown, userAgent: req.get('user-agent') ?? null, machine: machineReason(kind, req), at: new Date() };
    const recorded = recorder.record(hit).catch((error: unknown) => lost(emailId, kind, error instanceof Error ? error.name : 'unknown'));
    await Promise.race([recorded, wait(PATIENCE_MS, undefined, { ref: false })]);
  };
}
