import type { Context, ErrorDetail } from '../../platform/core';
import { missingStrings, namedString } from '../../sending/translations';
import type { TranslatedTexts } from '../../sending/translations';
import { refuse } from './refusals';

/** Throws 422 where a content reads strings that do not exist: its readers would see a gap. */
export async function requireStrings(ctx: Context, content: TranslatedTexts): Promise<void> {
  const missing = (await missingStrings(ctx, content)).absent;
  refuse(
    missing.map((key): ErrorDetail => ({
      path: 'body',
      code: 'not_found',
      message: `There is no translation {{${namedString(key)}}}; add it, or give a fallback`,
    })),
  );
}
