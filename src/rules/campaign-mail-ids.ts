/** Prefixes of the ids of each campaign's messages, by the campaign's id. */
export type CampaignStarts = ReadonlyMap<string, string>;

/** The part of a contact's id that the ids of its campaign messages end with: 65 bits of a keyed hash of its address. */
export const CONTACT_PART = { at: 'ctc_'.length, length: 13 } as const;

const CAMPAIGN_PART = 3;

const contactPartOf = (contactId: string): string =>
  contactId.slice(CONTACT_PART.at, CONTACT_PART.at + CONTACT_PART.length).padEnd(CONTACT_PART.length, '0');

/**
 * Returns the common prefix of a campaign's message ids; `time` is the prefix of its first millisecond; campaigns that start in the same
 * one differ by the end of their ids.
 */
export const campaignStart = (time: string, campaignId: string): string => time + campaignId.slice(-CAMPAIGN_PART);

/** Returns the id of the message that a campaign has for a contact, whether it was made yet or not. */
export const campaignMailId = (start: string, contactId: string): string => start + contactPartOf(contactId);

/** Returns whether a message has the id that its campaign and its contact give it. */
export const isNamedByContact = (mailId: string, campaignId: string, contactId: string): boolean =>
  mailId.endsWith(campaignStart('', campaignId) + contactPartOf(contactId));
