import { derivedId, timePrefix } from '../../platform/core';
import { campaignMailId, campaignStart } from '../../rules/campaign-mail-ids';
import { placeOf, placeText } from '../../rules/campaign-ranges';

/** A recipient's `_id`: once for a contact in a campaign; in the order of `_id` an audience is shuffled. */
export const recipientIdOf = (campaignId: string, contactId: string): string =>
  `${campaignId}/${placeText(placeOf(campaignId, contactId))}${contactId}`;

/** What a range of recipients gives as a place: the part of an `_id` after its campaign. */
export const placeIn = (campaignId: string, recipientId: string): string => recipientId.slice(campaignId.length + 1);

const PLACE_DIGITS = 8;

/** What a recipient is called outside: a function of its `_id` that sorts by the same random order. */
export const recipientName = (campaignId: string, recipientId: string): string => {
  const [prefix, rest] = derivedId('crc', recipientId).split('_') as [string, string];
  return `${prefix}_${placeIn(campaignId, recipientId).slice(0, PLACE_DIGITS)}${rest.slice(PLACE_DIGITS)}`;
};

/** The id of a recipient's message: known before there is one, so that there is never a second. */
export const campaignEmailId = (startedAt: Date, campaignId: string, contactId: string): string =>
  campaignEmailIds(startedAt, campaignId)(contactId);

/** The same for many recipients. */
export function campaignEmailIds(startedAt: Date, campaignId: string): (contactId: string) => string {
  const start = campaignStart(timePrefix('em', startedAt.getTime()), campaignId);
  return (contactId) => campaignMailId(start, contactId);
}
