import type { Context } from '../../platform/core';
import { acceptTrials } from '../accept';
import type { TrialsSent } from '../accept';
import { getTemplate } from '../templates';

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
