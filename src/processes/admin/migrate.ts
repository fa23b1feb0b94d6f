import { migrateAll, readSchema, refuseNewer, schemaStatus } from '../../upkeep/migrations';
import { UsageError } from './arguments';
import type { Command, Given, Outcome, Platform } from './command';
import { resealDkimKeys } from '../../sending/domains';
import { resealAddresses } from '../../upkeep/erasure';
import { resealTotp } from '../../records/members';
import type { Resealed } from '../../platform/mongo';
import type { SealedCollection, Secrets } from '../../platform/secrets';
import { resealWebhookSecrets } from '../../sending/webhooks';
import { decideFence, fenceStatus, raiseFence } from '../../sending/restore-fence';

async function bringUp({ flags }: Given, { say, release }: Platform): Promise<Outcome> {
  const before = await readSchema();
  refuseNewer(before);
  await migrateAll(say, flags.has('contract'));
  const after = await readSchema();
  const { status } = await schemaStatus();
  const isOther = before.version !== after.version || before.contracted !== after.contracted;
  return {
    result: { release, ...status },
    ...(isOther && { changed: { projectId: null, action: 'schema.migrate', subject: String(after.version) } }),
  };
}

async function show({ release }: Platform): Promise<Outcome> {
  const { status, lack } = await schemaStatus();
  return { result: { release, ...status }, fault: lack };
}

/** Prepares the database for a release, before its processes start. */
export const MIGRATE: Command = {
  words: ['migrate'],
  parameters: [],
  flags: ['status', 'contract'],
  anySchema: true,
  meaning: 'migrate the database to this release; --status only shows its state; --contract also removes what earlier releases need',
  check: ({ flags }) => {
    if (flags.has('status') && flags.has('contract')) throw new UsageError('Use either --status or --contract');
  },
  run: (given, platform) => (given.flags.has('status') ? show(platform) : bringUp(given, platform)),
};

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

const STATUS = 'status';
const DECISIONS = ['release', 'mark-sent'] as const;

const decisionIn = (word: string) => DECISIONS.find((decision) => decision === word);

// Only whole instants: a date alone would be taken as its first moment, hours before the backup.
function instantIn(word: string): Date {
  const instant = new Date(word);
  if (!/T.*(Z|[+-]\d\d:\d\d)$/.test(word) || Number.isNaN(instant.getTime())) {
    throw new UsageError('Give the instant of the restored backup as 2026-01-31T12:00:00Z, or release, mark-sent or status');
  }
  return instant;
}

/** Declares a fence after the operator has restored the database. */
export const RESTORE_FENCE: Command = {
  words: ['restore-fence'],
  parameters: [`<instant|${[...DECISIONS, STATUS].join('|')}>`],
  meaning: 'after a restore, hold mail that may have been sent since the backup; then release it, or mark it as sent',
  check: ({ args: [word = ''] }) => {
    if (word !== STATUS && !decisionIn(word)) instantIn(word);
  },
  run: async ({ args: [word = ''] }, { say }) => {
    if (word === STATUS) return { result: await fenceStatus() };
    const decision = decisionIn(word);
    const report = (messages: number): void => say(`${messages} messages so far`);
    const result = decision ? await decideFence(decision, report) : await raiseFence(instantIn(word), report);
    return { result, changed: { projectId: null, action: `restore_fence.${decision ?? 'raise'}`, subject: decision ? null : word } };
  },
};
