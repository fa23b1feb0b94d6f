import { TO_INDEX } from './indexes';
import { mailToRecipients } from './mail-to-recipients';
import { EmailModel } from './model';
import type { Email } from './model';
import { toEmail } from './row';
import type { EmailRow } from './row';

interface People {
  readonly projectId: string;
  readonly contactIds: readonly string[];
  readonly addresses: readonly string[];
}

/** Resolves to the messages to people that are due at an instant and not claimed; those of campaigns, which are retries, only to contacts. */
export async function dueFor({ projectId, contactIds, addresses }: People, at: Date): Promise<readonly Email[]> {
  const due = { status: 'queued', dueAt: { $lte: at } };
  const single = await EmailModel.collection
    .find<EmailRow>({ projectId, to: { $in: [...addresses] }, ...due }, { hint: TO_INDEX })
    .toArray();
  return [...single.map(toEmail), ...(await mailToRecipients({ projectId, contactIds }, due))];
}
