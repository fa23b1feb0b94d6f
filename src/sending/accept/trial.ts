import type { Context } from '../../platform/core';
import { invalid, invalidState } from '../../platform/core';
import { acceptSend } from './accept';
import { languageChooser } from '../../rules/translations';
import { messageTo } from './types';

interface TrialSent {
  readonly id: string;
  readonly to: string;
  readonly status: 'sent' | 'queued' | 'scheduled';
  /** Placeholders that resolved to nothing, where there are any. */
  readonly unresolvedPlaceholders?: readonly string[];
}

/** A message in each language; the first one is that of the default. */
export interface TrialsSent extends TrialSent {
  readonly languages?: readonly (Omit<TrialSent, 'to'> & { readonly language: string | null })[];
}

type Trial = Omit<Parameters<typeof messageTo>[1], 'isTrial'>;

/**
 * Sends a message by which its author tries out a content, also to an address that unsubscribed; its reader does not become a contact. Throws `send_failed`,
 * `rate_limited`, 422 at `to` for a suppressed address, and `invalid_state` for one that is skipped for another reason.
 */
async function acceptTrial(ctx: Context, to: string, trial: Trial): Promise<TrialSent> {
  const message = messageTo(to, { ...trial, isTrial: true });
  const { reply } = await acceptSend(ctx, { endpoint: 'send', messages: [message], idempotency: null });
  const [result] = reply.results;
  if (result && 'id' in result) return result;
  const reason = result && 'skipped' in result ? result.skipped : 'unknown';
  if (reason === 'suppressed') throw invalid('to', 'invalid_string', 'This address is suppressed; see GET /v1/suppressions/check');
  throw invalidState(`Nothing was sent: this address is skipped (${reason})`);
}

interface Tried {
  /** The languages that the content has variants in. */
  readonly languages: readonly string[];
  /** The one to send, `default`, or `all`; that of the reader's contact if it is absent. */
  readonly language?: string | undefined;
}

/** Tries out a content in the language that is asked for, or in all. Throws 422 at `language` for one that has no variant, and as `acceptTrial`. */
export async function acceptTrials(ctx: Context, to: string, trial: Trial, { languages, language }: Tried): Promise<TrialsSent> {
  if (language === undefined) return acceptTrial(ctx, to, trial);
  if (language === 'default') return acceptTrial(ctx, to, { ...trial, locale: null });
  if (language !== 'all') {
    if (languageChooser(languages)(language) === null) throw invalid('language', 'not_found', 'No variant exists for this language');
    return acceptTrial(ctx, to, { ...trial, locale: language });
  }
  const sent = await acceptTrial(ctx, to, { ...trial, locale: null });
  const all: NonNullable<TrialsSent['languages']>[number][] = [ofLanguage(null, sent)];
  for (const locale of languages) all.push(ofLanguage(locale, await acceptTrial(ctx, to, { ...trial, locale })));
  return { ...sent, languages: all };
}

const ofLanguage = (language: string | null, { to: _to, ...sent }: TrialSent) => ({ language, ...sent });
