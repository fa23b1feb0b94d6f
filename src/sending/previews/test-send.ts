import type { Context } from '../../platform/core';
import { acceptTrials } from '../accept';
import type { TrialsSent } from '../accept';
import type { Translations } from '../../rules/translations';
import { checkAllSyntax, getTemplate } from '../templates';
import type { TemplateType } from '../templates';

export interface TestSend {
  readonly to: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly language?: string | undefined;
}

/**
 * Sends the current content of a template to one address, its subject prefixed with `[Test] `. Throws `not_found`, and what `acceptTrials`
 * throws.
 */
export async function testSendTemplate(ctx: Context, id: string, { to, variables, language }: TestSend): Promise<TrialsSent> {
  const { variants } = await getTemplate(ctx, id);
  const trial = {
    ...{ subject: null, html: null, text: null, templateId: id, variables },
    ...{ from: null, fromName: null, replyTo: null, type: null },
  };
  return acceptTrials(ctx, to, trial, { languages: Object.keys(variants ?? {}), language });
}

/** A content that is tried out before it is stored. */
export interface ContentTest extends TestSend {
  readonly subject: string;
  /** HTML. */
  readonly body: string;
  readonly previewText: string | null;
  readonly fromEmail: string;
  readonly fromName: string | null;
  readonly replyTo: string | null;
  readonly type: TemplateType;
  readonly variants: Translations | null;
}

/** Sends a content to one address, its subject prefixed with `[Test] `. Throws 422 `invalid_template`, and what `acceptTrials` throws. */
export function testSendContent(ctx: Context, { to, language, body, fromEmail, ...content }: ContentTest): Promise<TrialsSent> {
  checkAllSyntax({ ...content, body });
  const trial = { ...content, html: body, text: null, templateId: null, from: fromEmail };
  return acceptTrials(ctx, to, trial, { languages: Object.keys(content.variants ?? {}), language });
}
