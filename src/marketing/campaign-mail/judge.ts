import { skipRecipients } from '../campaigns';
import type { Campaign, PageRecipient } from '../campaigns';
import { findReaders } from '../../audience/contacts';
import type { Reader } from '../../audience/contacts';
import type { Core, ProjectFacts } from '../../platform/core';
import { refusal } from '../../rules/refusal';
import { isSimulated } from '../../rules/simulator';
import { suppressionsOfMany } from '../../records/suppressions';
import type { Suppression } from '../../records/suppressions';
import type { Addressed } from './mail';

/**
 * Skips recipients who may not get a campaign any more: contacts that were deleted, opted out or suppressed since the audience was frozen. Resolves to the
 * others. A contact that was made anew after the start counts as deleted.
 */
export async function judgeRecipients(
  core: Pick<Core, 'config'>,
  campaign: Campaign,
  project: ProjectFacts,
  rows: readonly PageRecipient[],
): Promise<readonly Addressed[]> {
  const ids = rows.map(({ contactId }) => contactId);
  const [contacts, suppressions] = await Promise.all([findReaders(ids), suppressionsOfMany(project._id, ids)]);
  const open: Addressed[] = [];
  const skipped = new Map<string, string[]>();
  for (const recipient of rows) {
    const contact = contacts.get(recipient.contactId);
    const reason = refusalOf(core, campaign, contact, suppressions.get(recipient.contactId));
    if (contact && !reason) open.push({ recipient, contact });
    else skipped.set(reason ?? 'deleted', [...(skipped.get(reason ?? 'deleted') ?? []), recipient._id]);
  }
  await skipRecipients(skipped);
  return open;
}

function refusalOf(
  { config }: Pick<Core, 'config'>,
  { startedAt }: Campaign,
  contact: Reader | undefined,
  suppression: Suppression | undefined,
): string | null {
  if (!contact || (startedAt && contact.createdAt > startedAt)) return 'deleted';
  const reason = isSimulated(contact.email, config.PLATFORM_DOMAIN) ? null : (suppression?.reason ?? null);
  return refusal('marketing', reason, contact.subscribed);
}
