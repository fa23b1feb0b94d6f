import type { ClientSession } from 'mongoose';
import type { Context, Core } from '../../platform/core';
import { hook } from '../../platform/hooks';
import type { Contact } from './model';

/** Something that refers to a custom field. */
export interface FieldReference {
  readonly _id: string;
  readonly name: string;
}

type Reader = 'segments' | 'campaigns' | 'automations' | 'templates';
export type FieldReaders = Readonly<Record<Reader, readonly FieldReference[]>>;

/** Which of a room's rows read a custom field, newest first; the answer is named as in `FieldUsage`. */
export const fieldReaders = hook<(ctx: Context, field: string) => Promise<readonly FieldReference[]>>('which rows read a custom field');

/** Contacts are removed: a room takes part in the transaction. */
export const onContactsRemoved =
  hook<(session: ClientSession, ctx: Context, contacts: readonly Contact[], at: Date) => Promise<void>>('contacts are removed');

/** Takes removed contacts out of a room's rows that were made up to `before`. Safe to repeat. */
export const onContactsDetached = hook<(projectId: string, contactIds: readonly string[], before: Date) => Promise<unknown>>(
  'removed contacts are taken out of rows',
);

/** Ends what still runs for removed contacts. Safe to repeat. */
export const onContactsGone = hook<(core: Core, projectId: string, contactIds: readonly string[], before: Date) => Promise<void>>(
  'what runs for removed contacts ends',
);
