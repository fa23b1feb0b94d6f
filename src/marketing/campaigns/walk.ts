import { CampaignRecipientModel } from './model';
import type { CampaignRecipient } from './model';
import { derivedId, timePrefix } from '../../platform/core';
import { campaignMailId, campaignStart } from '../../rules/campaign-mail-ids';
import { hashOf, hashText } from '../../rules/campaign-ranges';

/** Returns the range of `_id` that holds all recipients, or all links, of a campaign. */
export const recipientsOf = (campaignId: string): { readonly $gt: string; readonly $lt: string } => ({
  $gt: `${campaignId}/`,
  $lt: `${campaignId}0`,
});

interface Walk {
  readonly campaignId: string;
  readonly projectId: string;
  readonly size: number;
  /** 1 is the order in which messages are sent. */
  readonly direction?: 1 | -1;
  /** Only recipients whose rows are marked as skipped. */
  readonly skipped?: boolean;
  /** Only recipients after this one. */
  readonly after?: string | null;
}

/** Reads the recipients of a campaign in pages. */
export async function* recipientPages({
  campaignId,
  projectId,
  size,
  direction = 1,
  skipped = false,
  after = null,
}: Walk): AsyncGenerator<CampaignRecipient[]> {
  const stored = skipped ? { campaignId, status: 'skipped' as const } : {};
  let range = rangeBeyond(recipientsOf(campaignId), direction, after);
  for (;;) {
    const rows = await CampaignRecipientModel.find({ _id: range, projectId, ...stored })
      .sort({ _id: direction })
      .limit(size)
      .lean<CampaignRecipient[]>();
    const last = rows.at(-1);
    if (last) yield rows;
    if (!last || rows.length < size) return;
    range = rangeBeyond(range, direction, last._id);
  }
}

const rangeBeyond = (range: Readonly<Record<string, string>>, direction: 1 | -1, last: string | null): Readonly<Record<string, string>> =>
  last === null ? range : { ...range, [direction === 1 ? '$gt' : '$lt']: last };

/** Derives a recipient's `_id`: one for each contact of a campaign. Its order shuffles the audience. */
export const recipientIdOf = (campaignId: string, contactId: string): string =>
  `${campaignId}/${hashText(hashOf(campaignId, contactId))}${contactId}`;

/** Returns the order key of a recipient: the part of its `_id` after the campaign. */
export const orderKeyOf = (campaignId: string, recipientId: string): string => recipientId.slice(campaignId.length + 1);

const KEY_DIGITS = 8;

/** Derives a recipient's public id from its `_id`, with the same random order. */
export const recipientName = (campaignId: string, recipientId: string): string => {
  const [prefix, rest] = derivedId('crc', recipientId).split('_') as [string, string];
  return `${prefix}_${orderKeyOf(campaignId, recipientId).slice(0, KEY_DIGITS)}${rest.slice(KEY_DIGITS)}`;
};

/** Derives the id of a recipient's message: it is known before the message exists, so there is never a second one. */
export const campaignEmailId = (startedAt: Date, campaignId: string, contactId: string): string =>
  campaignEmailIds(startedAt, campaignId)(contactId);

/** Derives the ids of many recipients' messages. */
export function campaignEmailIds(startedAt: Date, campaignId: string): (contactId: string) => string {
  const start = campaignStart(timePrefix('em', startedAt.getTime()), campaignId);
  return (contactId) => campaignMailId(start, contactId);
}
