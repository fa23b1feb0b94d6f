import type { z } from 'zod';
import type { Context } from '../../src/platform/core';
import { endpoint } from './endpoint';
import type { Ungrouped } from './endpoint';
import { IdParams, added, flag, timestamp } from './pieces';

/** The filter of a list that leaves archived rows out, or shows no others. */
export const archivedQuery = added(flag.optional(), '`false` leaves archived ones out, `true` lists only those; by default all are listed');

/** The member of an answer that says since when something is archived. */
export const shownArchivedAt = added(timestamp.optional(), 'present while it is archived');

interface Kind<R extends z.ZodType> {
  readonly path: `/v1/${string}/{id}`;
  /** Name on the wire, as it begins the action in the audit: "campaign". */
  readonly name: string;
  readonly response: R;
  /** Which of them cannot be archived; absent where all can. */
  readonly refused?: string;
  readonly set: (ctx: Context, id: string, isArchived: boolean) => Promise<z.input<R>>;
}

const DESCRIPTIONS = {
  archive: 'Lists leave it out with `archived=false`. It works as before wherever it is used; archived again, it stays as it is.',
  unarchive: 'What is not archived stays as it is.',
} as const;

/** Declares the two operations that archive something and bring it back. */
export const archiveOperations = <R extends z.ZodType>({ path, name, response, refused, set }: Kind<R>): readonly Ungrouped[] =>
  (['archive', 'unarchive'] as const).map((verb) =>
    endpoint(`POST ${path}/${verb}`, {
      operationId: `${verb}${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      summary: verb === 'archive' ? `Archive a ${name}` : `Bring an archived ${name} back`,
      description: DESCRIPTIONS[verb] + (verb === 'archive' && refused ? ` ${refused}` : ''),
      request: { params: IdParams },
      response,
      errors: verb === 'archive' && refused ? ['invalid_state'] : [],
      audit: ({ params }) => [`${name}.${verb}`, params.id],
      handle: ({ ctx, params }) => set(ctx, params.id, verb === 'archive'),
    }),
  );
