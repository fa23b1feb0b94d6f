import { derivedId, timePrefix } from '../../platform/core';
import { campaignMailId, campaignStart } from '../../rules/campaign-mail-ids';
import { hashOf, hashText } from '../../rules/campaign-ranges';

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
