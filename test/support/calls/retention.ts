import { ContactModel } from '../../../src/audience/contacts/model';
import { EmailModel } from '../../../src/records/emails/model';
import type { Email } from '../../../src/records/emails/model';
import { newId } from '../../../src/platform/core/ids';
import { applyRetention } from '../../../src/upkeep/retention/apply';
import { RetentionMarkModel } from '../../../src/upkeep/retention/model';
import type { TestApp } from '../platform/app';
import { campaignCalls } from './campaigns';

const DAY_MS = 86_400_000;

export const ago = (days: number): Date => new Date(Date.now() - days * DAY_MS);
export const inDays = (days: number): Date => ago(-days);

/** Keeps what happened for 100 days and what messages said for 10. */
export const SHORT = { DEV_VERIFIED_DOMAINS: 'hello.test', RETENTION_DAYS: '100', CONTENT_RETENTION_DAYS: '10' } as const;

/** Calls that tests of retention make, as the first project. */
export function retentionCalls(app: () => TestApp) {
  const calls = campaignCalls(app);
  const pass = async (days = 0): Promise<void> => {
    let after: string | null = null;
    for (;;) {
      const { next } = await applyRetention(app().core, { now: Date.now() + days * DAY_MS, after }, new AbortController().signal);
      if (!next) return;
      after = next.after;
    }
  };
  return {
    calls,
    project: () => app().keys.projectId,
    /** Runs the workflow's work, `days` ahead. */
    pass,
    /** Does the same when no project rests. */
    async sweep(days = 0): Promise<void> {
      await RetentionMarkModel.updateMany({}, { $unset: { restsUntil: 1 } });
      await pass(days);
    },
    read: async (path: string) => (await app().api().get(path).expect(200)).body.data as Readonly<Record<string, unknown>>,
    rowOf: async (id: string) => (await EmailModel.findById(id).lean()) as unknown as Email | null,
    /** Starts a campaign to `size` contacts and no others, its audience frozen, with a content of its own: time goes back between tests. */
    async running(size: number): Promise<string> {
      await ContactModel.deleteMany({});
      return calls.running(size, { subject: `News ${newId('evt')}` });
    },
  };
}
