import { resealDkimKeys } from '../domains/reseal';
import type { Resealed } from '../mongo/reseal';
import { resealWebhookSecrets } from '../webhooks/reseal';
import type { Command } from './command';

function faultOf(counts: readonly Resealed[]): string | null {
  const unreadable = counts.reduce((sum, each) => sum + each.unreadable, 0);
  if (unreadable === 0) return null;
  const ids = counts.flatMap((each) => each.unreadableIds);
  const named = ids.join(', ') + (ids.length < unreadable ? ', …' : '');
  return `No secret that is listed opens ${unreadable} of them; they stay as they are: ${named}`;
}

/** What is sealed by older secrets, sealed by the newest. */
export const RESEAL: Command = {
  words: ['secrets', 'reseal'],
  parameters: [],
  meaning: 'bring DKIM keys and webhook secrets under the first secret of APP_SECRET',
  run: async (_given, { secrets }) => {
    const known = secrets();
    const [domains, webhooks] = [await resealDkimKeys(known), await resealWebhookSecrets(known, new Date())];
    const shown = (what: string, { rows, resealed, unreadable }: Resealed) => ({ what, rows, resealed, unreadable });
    return {
      result: [shown('DKIM keys', domains), shown('webhook secrets', webhooks)],
      changed: { projectId: null, action: 'secrets.reseal', subject: null },
      fault: faultOf([domains, webhooks]),
    };
  },
};
