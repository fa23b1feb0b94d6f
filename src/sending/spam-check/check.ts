import type { Core } from '../../platform/core';
import { askRspamd } from './rspamd';
import type { SpamScore } from './score';
import { askSpamd } from './spamd';

const ANSWER_MS = 10_000;

/**
 * Asks the operator's spam filter about a composed message, one character a byte. Resolves to `failed` when it gives no verdict; null where none is
 * configured. Nothing of the message is logged.
 */
export async function spamScore({ config, log }: Pick<Core, 'config' | 'log'>, message: string): Promise<SpamScore | 'failed' | null> {
  if (config.SPAM_CHECK_URL === undefined) return null;
  const url = new URL(config.SPAM_CHECK_URL);
  const ask = url.protocol === 'spamd:' ? askSpamd : askRspamd;
  try {
    return await ask(url, message, ANSWER_MS);
  } catch (error) {
    // Its name only: an answer that cannot be read may repeat what was asked.
    log.warn({ reason: (error as Error).name }, 'The spam filter gave no verdict');
    return 'failed';
  }
}
