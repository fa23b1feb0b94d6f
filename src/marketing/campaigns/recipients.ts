import { findContacts } from '../../audience/contacts';
import { positionAt, invalidState } from '../../platform/core';
import type { Context, PageRequest, Position } from '../../platform/core';
import { campaignMessages, wasTried } from '../../records/emails';
import type { CampaignMessage } from '../../records/emails';
import type { Page } from '../../platform/mongo';
import { languagesByContent } from './contents';
import { readCampaign } from './drafts';
import { versionOfContent } from '../../rules/content-version';
import { recipientIdOf, recipientName, recipientPages, recipientsOf } from './walk';
import { CampaignRecipientModel } from './model';
import type { Campaign, CampaignRecipient } from './model';
import { languageChooser, missingIn } from '../../rules/translations';
import { missingStrings, namedString } from '../../sending/translations';
import { audiencePage } from './audience';
import type { AudiencePage } from './audience';

export type RecipientStatus = 'pending' | 'sent' | 'skipped';

/** A recipient of a campaign, with the outcome of the message. */
export interface RecipientView {
  /** The stored `_id`, by which the list is ordered. */
  readonly rowId: string;
  readonly id: string;
  readonly campaignId: string;
  /** Null when the contact is gone. */
  readonly contactId: string | null;
  readonly email: string;
  /** Null until there is a message. */
  readonly emailId: string | null;
  readonly status: RecipientStatus;
  /** Why the recipient was left out. */
  readonly skipReason: string | null;
  readonly skipDetail?: CampaignRecipient['skipDetail'];
  readonly variant: CampaignRecipient['variant'];
  /** Which version of the content the message has; null until there is a message. */
  readonly contentVersion: number | null;
  /** The language of the variant that the message has; null for the default, and until there is a message. Absent for a campaign without variants. */
  readonly language?: string | null;
  readonly createdAt: Date;
}

const PAGE = 1_000;

/**
 * Lists a page of the recipients, of one status where it is given. All rows of a campaign have the same instant, so they are in the order of their ids, the
 * highest first, which is random. Throws `not_found`.
 */
export async function listRecipients(
  ctx: Context,
  id: string,
  status: RecipientStatus | null,
  { limit, after }: PageRequest,
): Promise<Page<RecipientView>> {
  const campaign = await readCampaign(ctx, id);
  // In any other state none waits: all recipients would be read in vain.
  if (status === 'pending' && campaign.status !== 'sending') return { rows: [], next: null };
  const walked = after ? walkedTo(after) : beginning(status, campaign);
  const found = await findMore(campaign, status, walked, limit + 1);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const shown = page.sort((one, other) => (one.id < other.id ? 1 : -1));
  const more = found.length > limit && last;
  return { rows: await withContacts(campaign, shown), next: more ? positionAfter(walked, last) : null };
}

/** Finds at least `count` recipients after the ones already walked, or all that are left. */
async function findMore(
  campaign: Campaign,
  status: RecipientStatus | null,
  { upwards, rowId }: Walked,
  count: number,
): Promise<readonly RecipientView[]> {
  const found: RecipientView[] = [];
  const pages = recipientPages({
    campaignId: campaign._id,
    projectId: campaign.projectId,
    size: status === null ? count : PAGE,
    direction: upwards ? 1 : -1,
    // Until its workflow has ended, a cancelled campaign's rows are not all marked as skipped.
    skipped: status === 'skipped' && campaign.status !== 'cancelled',
    after: rowId,
  });
  for await (const rows of pages) {
    found.push(...(await views(campaign, rows)).filter((view) => status === null || view.status === status));
    if (found.length >= count) break;
  }
  return found;
}

/** Progress of a walk. It keeps its direction if the campaign ends meanwhile, or it would repeat rows. */
interface Walked {
  readonly upwards: boolean;
  readonly rowId: string | null;
}

const UPWARDS = 'up.';
const DOWNWARDS = 'down.';

/** Starts a walk. Messages go out in the opposite order of the list: while a campaign is sending, sent ones are found soonest from the beginning. */
const beginning = (status: RecipientStatus | null, campaign: Campaign): Walked => ({
  upwards: status === 'sent' && campaign.status === 'sending',
  rowId: null,
});

const positionAfter = ({ upwards }: Walked, { rowId }: RecipientView): Position => positionAt((upwards ? UPWARDS : DOWNWARDS) + rowId);

function walkedTo({ id }: Position): Walked {
  const upwards = id.startsWith(UPWARDS);
  return { upwards, rowId: id.slice((upwards ? UPWARDS : DOWNWARDS).length) };
}

function standingOf(
  { status, skipReason, skipDetail }: CampaignRecipient,
  tried: boolean,
  isCancelled: boolean,
): Pick<RecipientView, 'status' | 'skipReason' | 'skipDetail'> {
  if (tried) return { status: 'sent', skipReason: null };
  if (status === 'skipped') return { status, skipReason, ...(skipDetail && { skipDetail }) };
  return isCancelled ? { status: 'skipped', skipReason: 'cancelled' } : { status: 'pending', skipReason: null };
}

/** A recipient with its message, if that was tried. */
export interface StandingRecipient extends Pick<RecipientView, 'status' | 'skipReason' | 'skipDetail'> {
  readonly row: CampaignRecipient;
  /** Its public id. */
  readonly id: string;
  readonly message: CampaignMessage | null;
}

async function standings(campaign: Campaign, rows: readonly CampaignRecipient[]): Promise<readonly StandingRecipient[]> {
  const emailIds = rows.map(({ emailId }) => emailId);
  const messages = await campaignMessages(campaign.projectId, campaign._id, emailIds);
  return rows.map((row) => {
    const message = messages.get(row.emailId);
    const tried = message && wasTried(message) ? message : null;
    const id = recipientName(row.campaignId, row._id);
    return { row, id, message: tried, ...standingOf(row, tried !== null, campaign.status === 'cancelled') };
  });
}

/** Reads all recipients of a campaign page by page, in the order in which messages are sent. Each is in one page, as it is when that is read. */
export async function* standingPages(campaign: Campaign): AsyncGenerator<readonly StandingRecipient[]> {
  for await (const rows of recipientPages({ campaignId: campaign._id, projectId: campaign.projectId, size: PAGE })) {
    yield await standings(campaign, rows);
  }
}

/** Finds a contact among the recipients of a campaign; null where the audience does not have it. */
export async function findRecipient(campaign: Campaign, contactId: string): Promise<StandingRecipient | null> {
  const filter = { _id: recipientIdOf(campaign._id, contactId), projectId: campaign.projectId };
  const row = await CampaignRecipientModel.findOne(filter).lean<CampaignRecipient>();
  return row && ((await standings(campaign, [row]))[0] ?? null);
}

/** Counts the recipients of a campaign that are stored. */
export const countRecipients = ({ _id }: Pick<Campaign, '_id'>): Promise<number> =>
  CampaignRecipientModel.countDocuments({ _id: recipientsOf(_id) });

async function views(campaign: Campaign, rows: readonly CampaignRecipient[]): Promise<readonly RecipientView[]> {
  const languages = languagesByContent(campaign);
  return (await standings(campaign, rows)).map(({ row, id, message, ...standing }) => ({
    rowId: row._id,
    id,
    campaignId: row.campaignId,
    contactId: row.contactId,
    email: row.email,
    emailId: message && row.emailId,
    ...standing,
    variant: row.variant,
    contentVersion: message && versionOfContent(message.contentId),
    ...(campaign.variants && { language: languages.get(message?.contentId ?? '') ?? null }),
    createdAt: row.createdAt,
  }));
}

/** Adds contacts. A deleted contact stays absent, also when its address came back later. */
async function withContacts({ projectId, startedAt }: Campaign, found: readonly RecipientView[]): Promise<readonly RecipientView[]> {
  const contactIds = found.flatMap(({ contactId }) => contactId ?? []);
  const contacts = await findContacts(projectId, contactIds);
  const isThere = (contactId: string | null): boolean => {
    const contact = contacts.get(contactId ?? '');
    return contact !== undefined && startedAt !== null && contact.createdAt <= startedAt;
  };
  return found.map((view) => (isThere(view.contactId) ? view : { ...view, contactId: null }));
}

/** Number of locales that are listed: those with the most recipients. */
const MOST_LOCALES = 100;

/** A language of a campaign: null for the default content. */
interface CoveredLanguage {
  readonly language: string | null;
  readonly recipients: number;
  /** Members that the default has, and the variant lacks, and strings of the project without a text in it; for the default, strings that do not exist. */
  readonly missing: readonly string[];
}

/** Which recipients of a campaign get which language. */
export interface Coverage {
  readonly campaignId: string;
  readonly recipients: number;
  readonly languages: readonly CoveredLanguage[];
  /** The locales of the recipients, and the language that each gets. */
  readonly locales: readonly { readonly locale: string | null; readonly recipients: number; readonly language: string | null }[];
  readonly asOf: Date;
}

/** Counts which recipients a send would reach now in which language. Throws `not_found`, and `invalid_state` unless it is a draft or scheduled. */
export async function readCoverage(ctx: Context, id: string): Promise<Coverage> {
  const campaign = await readCampaign(ctx, id);
  const { status, variants } = campaign;
  if (status !== 'draft' && status !== 'scheduled')
    throw invalidState(`Only a draft or a scheduled campaign has language coverage; this one is ${status}`);
  const asOf = new Date();
  const counted = new Map<string | null, number>();
  for (let after: string | null = ''; after !== null;) {
    const { members, next }: AudiencePage = await audiencePage(ctx.project, campaign, asOf, after, { locale: 1 });
    for (const { locale = null } of members) counted.set(locale, (counted.get(locale) ?? 0) + 1);
    after = next;
  }
  const languageFor = languageChooser(Object.keys(variants ?? {}));
  const locales = [...counted]
    .map(([locale, recipients]) => ({ locale, recipients, language: languageFor(locale) }))
    .sort((one, other) => other.recipients - one.recipients);
  const recipientsIn = (wanted: string | null): number =>
    locales.reduce((sum, { language, recipients }) => sum + (language === wanted ? recipients : 0), 0);
  const strings = await missingStrings(ctx, campaign);
  const untranslated = (language: string | null): readonly string[] =>
    language === null ? strings.absent : [...strings.absentIn(language), ...strings.lackingIn(language)].sort();
  const languages = [null, ...Object.keys(variants ?? {})].map((language) => ({
    language,
    recipients: recipientsIn(language),
    missing: [...(language === null ? [] : missingIn(campaign, variants?.[language])), ...untranslated(language).map(namedString)],
  }));
  const recipients = languages.reduce((sum, each) => sum + each.recipients, 0);
  return { campaignId: id, recipients, languages, locales: locales.slice(0, MOST_LOCALES), asOf };
}
