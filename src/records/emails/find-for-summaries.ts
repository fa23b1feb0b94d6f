import { EmailModel } from './model';
import type { Email } from './model';
import { toEmail } from './row';
import type { EmailRow } from './row';

/** Finds messages by id, as far as they exist, without what no list shows and what can be large. */
export async function findForSummaries(projectId: string, ids: readonly string[]): Promise<readonly Email[]> {
  if (ids.length === 0) return [];
  const rows = await EmailModel.collection
    .find<EmailRow>({ _id: { $in: ids }, projectId }, { projection: { inline: 0, values: 0 } })
    .toArray();
  return rows.map(toEmail);
}
