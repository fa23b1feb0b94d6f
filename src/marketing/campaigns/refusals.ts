import { AppError } from '../../platform/core';
import type { ErrorDetail, Context } from '../../platform/core';
import { TemplateSyntaxError, compileContent } from '../../message/template';
import type { TemplateField } from '../../message/template';
import { parseConditions } from '../../rules/conditions/parse';
import type { Tree } from '../../rules/conditions/types';
import { resolveConditions } from '../../audience/segments';
import { variantFaults } from '../../sending/templates';
import type { CampaignContent } from './model';
import { missingStrings, namedString } from '../../sending/translations';
import type { TranslatedTexts } from '../../sending/translations';

type Text = Partial<Pick<CampaignContent, 'subject' | 'body' | 'previewText' | 'abSubjectB' | 'variants'>>;

const WIRE: Readonly<Record<TemplateField, string>> = { subject: 'subject', html: 'body', text: 'body', previewText: 'previewText' };

/** Throws 422 with all details, when there are any. */
export function refuse(details: readonly ErrorDetail[]): void {
  const [first] = details;
  if (first) throw new AppError('validation_error', `${first.path}: ${first.message}`, details);
}

/** Finds syntax faults in the template fields, each at its own member. */
export function templateFaults({ subject, body, previewText, abSubjectB, variants }: Text): readonly ErrorDetail[] {
  return [
    ...faultsOf(subject ?? '', body ?? '', previewText ?? null, (field) => WIRE[field]),
    ...(abSubjectB ? faultsOf(abSubjectB, '', null, () => 'abSubjectB') : []),
    ...variantFaults(variants),
  ];
}

function faultsOf(subject: string, html: string, previewText: string | null, pathOf: (field: TemplateField) => string): ErrorDetail[] {
  try {
    compileContent({ subject, html, text: null, previewText });
    return [];
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error;
    return error.faults.map(({ field, line, column, message }) => ({
      path: pathOf(field),
      code: 'invalid_template',
      message: `${message} (line ${line}, column ${column})`,
    }));
  }
}

/** Parses a filter. Throws 422 `invalid_condition`. */
export function treeOf(filter: CampaignContent['filter']): Tree {
  const parsed = parseConditions(filter, { basePath: 'filter' });
  if ('ok' in parsed) return parsed.ok;
  throw new AppError('validation_error', parsed.faults[0]?.message ?? 'The filter is not valid', parsed.faults);
}

/** Finds every fault of a filter; the segments and campaigns that it names have to exist. */
export async function filterFaults(projectId: string, filter: CampaignContent['filter'] | undefined): Promise<readonly ErrorDetail[]> {
  if (!filter) return [];
  const judged = await resolveConditions(null, projectId, filter, { at: 'filter' });
  return 'ok' in judged ? [] : judged.faults;
}

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
