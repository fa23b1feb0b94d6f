import type { Core } from '../../platform/core';
import { hook } from '../../platform/hooks';

/** A person who gets less mail. */
export interface LeavingPerson {
  /** Null for an address without a contact. */
  readonly contactId: string | null;
  /** Null where only the contact is known. */
  readonly address: string | null;
}

/** People and the mail that they do not get any more: that of topics, or all marketing mail (null). */
export interface Leaving {
  readonly people: readonly LeavingPerson[];
  readonly topicIds: readonly string[] | null;
}

/** People have left; resolves when what is under way to them has noticed. */
export const onTopicsLeft = hook<(core: Pick<Core, 'config'>, projectId: string, leaving: Leaving) => Promise<void>>('people leave topics');
