import { resealDkimKeys } from '../../sending/domains';
import { resealAddresses } from '../../upkeep/erasure';
import { resealTotp } from '../../records/members';
import type { Resealed } from '../../platform/mongo';
import type { SealedCollection, Secrets } from '../../platform/secrets';
import { resealWebhookSecrets } from '../../sending/webhooks';
import type { Command } from './command';

interface SealedRows {
  readonly what: string;
  readonly reseal: (secrets: Secrets) => Promise<Resealed>;
}

const PLACES: Readonly<Record<SealedCollection, SealedRows>> = {
  domains: { what: 'DKIM keys', reseal: resealDkimKeys },
  webhooks: { what: 'webhook secrets', reseal: (secrets) => resealWebhookSecrets(secrets, new Date()) },
  erasures: { what: 'addresses to erase', reseal: resealAddresses },
  persons: { what: 'authenticator secrets', reseal: resealTotp },
};

function faultOf(counts: readonly Resealed[]): string | null {
  const unreadable = counts.reduce((sum, each) => sum + each.unreadable, 0);
  if (unreadable === 0) return null;
  const ids = counts.flatMap((each) => each.unreadableIds);
  const named = ids.join(', ') + (ids.length < unreadable ? ', …' : '');
  return `No secret that is listed opens ${unreadable} of them; they stay as they are: ${named}`;
}

/** Seals values of older secrets under the newest one. */
export const RESEAL: Command = {
  words: ['secrets', 'reseal'],
  parameters: [],
  meaning: 'seal DKIM keys, webhook secrets, addresses to erase and authenticator secrets with the first secret of APP_SECRET',
  run: async (_given, { secrets }) => {
    const known = secrets();
    const done: (Resealed & { readonly what: string })[] = [];
    for (const { what, reseal } of Object.values(PLACES)) done.push({ what, ...(await reseal(known)) });
    return {
      result: done.map(({ what, rows, resealed, unreadable }) => ({ what, rows, resealed, unreadable })),
      changed: { projectId: null, action: 'secrets.reseal', subject: null },
      fault: faultOf(done),
    };
  },
};
