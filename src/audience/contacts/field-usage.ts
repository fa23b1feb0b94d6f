import type { Context } from '../../platform/core';
import { fieldCount } from './fields';
import { fieldReaders } from './hooks';
import type { FieldReaders } from './hooks';

/** The contacts with a custom field, and the objects that read it. */
export interface FieldUsage extends FieldReaders {
  /** Number of contacts with the field. */
  readonly contacts: number;
}

/** Counts the contacts that have a field, and lists what refers to it, newest first. */
export async function fieldUsage(ctx: Context, field: string): Promise<FieldUsage> {
  const asked = fieldReaders.named.map(async ([by, read]) => [by, await read(ctx, field)] as const);
  const [contacts, readers] = await Promise.all([fieldCount(ctx, field), Promise.all(asked)]);
  return { contacts, ...(Object.fromEntries(readers) as unknown as FieldReaders) };
}
