import { z } from 'zod';
import type { DetailCode } from '../../src/platform/core';
import { fault } from './pieces';
import { besideMembers } from './together';

interface KeysRule {
  readonly most: number;
  readonly what: string;
  /** The values may be wrong still. */
  readonly check: (keys: readonly string[], ctx: z.RefinementCtx, values: Readonly<Record<string, unknown>>) => void;
}

/** Returns the schema of an object whose keys the caller chooses, up to `most`. Reports the faults that `check` finds in the keys along with those of the values. */
export const keyed = <V extends z.ZodType>(value: V, { most, what, check }: KeysRule) =>
  z.record(z.string(), value).superRefine((kept, ctx) => {
    const keys = Object.keys(kept);
    if (keys.length > most) fault(ctx, 'too_big', `At most ${most} ${what}`);
    else check(keys, ctx, kept);
  }, besideMembers);

/** Returns a rule for `superRefine` that no two objects of an array have the same value of a member; checked together with single items. */
export const once = <K extends string>(member: K, message: string, code: DetailCode = 'invalid_combination') =>
  [
    (list: readonly { readonly [M in K]?: unknown }[], ctx: z.RefinementCtx): void => {
      const seen = new Set<unknown>();
      for (const [index, item] of list.entries()) {
        const value = (item as { readonly [M in K]?: unknown } | null | undefined)?.[member];
        if (typeof value !== 'string') continue;
        if (seen.has(value)) fault(ctx, code, message, [index, member]);
        seen.add(value);
      }
    },
    { when: ({ value }: { readonly value: unknown }): boolean => Array.isArray(value) },
  ] as const;
