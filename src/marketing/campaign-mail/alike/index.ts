import type { DkimKey } from '../../../message/dkim';
import type { Core } from '../../../platform/core';
import { FastKit } from './fast';
import type { AlikeKit, EmailOf } from './kit';
import { PlainKit } from './kit';

export type { AlikeKit, AlikeMessage, Answer, Composed } from './kit';

/** Returns the kit for the messages of a slice, `count` of them: one message shares nothing. */
export const kitFor = (count: number, core: Core, dkim: DkimKey, emailOf: EmailOf): AlikeKit =>
  count > 1 ? new FastKit(core, dkim, emailOf) : new PlainKit(core, dkim, emailOf);
