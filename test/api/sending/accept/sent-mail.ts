import type { Email } from '../../../../src/records/emails/model';
import { SuppressionModel } from '../../../../src/records/suppressions/model';
import type { TestApp } from '../../../support/platform/app';
import { storeEmail } from '../../../support/data/email-rows';
import { postfixReport } from '../../../support/data/returned-mail';

const DAY_MS = 86_400_000;

let count = 0;

export const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);

export const freshReader = (): string => `reader${++count}@example.com`;

/** What Postfix reports of a message that was refused. */
export const failing = (to: string, said = '550 5.1.1 User unknown', status = '5.1.1'): string => postfixReport({ to, said, status });

/** Messages of the first project that were sent a while ago, and what came of them. */
export const sentMail = (app: () => TestApp) => ({
  /** A message that its recipient's mail system took. */
  async sent(change: Partial<Email> = {}): Promise<Email> {
    const at = change.sentAt ?? daysAgo(1);
    const delivered = { status: 'delivered', sentAt: at, deliveredAt: at, attempts: 1 } as const;
    return storeEmail(app().keys.projectId, { ...delivered, to: freshReader(), ...change });
  },
  suppressionOf: ({ to }: Email) => SuppressionModel.findOne({ projectId: app().keys.projectId, email: to }).lean(),
});
