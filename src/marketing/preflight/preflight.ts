import type { ContactFields } from '../../message/template';
import { domainOf } from '../../platform/addresses';
import { invalidState } from '../../platform/core';
import type { Context } from '../../platform/core';
import { awaitLargeWork } from '../../platform/limits';
import { volumeSince } from '../../records/billing';
import { acrossLanguages } from '../../rules/preflight/by-language';
import type { InLanguage } from '../../rules/preflight/by-language';
import { CHECKS, fine, found } from '../../rules/preflight/finding';
import type { Finding } from '../../rules/preflight/finding';
import { judgeAlignment, judgeDomain } from '../../rules/preflight/sender';
import { judgeVolume } from '../../rules/preflight/volume';
import { judgeSubjects } from '../../rules/preflight/words';
import { languageChooser } from '../../rules/translations';
import { alignmentOf } from '../../sending/domains';
import { missingStrings, stringsOf } from '../../sending/translations';
import type { StringGaps } from '../../sending/translations';
import { complaintsOf, countAudience, checkedSince, readCampaign } from '../campaigns';
import type { Campaign } from '../campaigns';
import { checkContent, checkSpam } from './content';
import { contentsOf } from './contents';
import type { CampaignContentIn } from './contents';
import { checkLanguages, checkStrings, checkPlaceholders, sampleOf } from './placeholders';
import { checkLinks } from './links';

/** The time in which the readers of all languages are rendered. */
const PLACEHOLDERS_MS = 3_000;

/** The checks of a campaign before its launch. */
export interface Preflight {
  readonly campaignId: string;
  readonly checks: readonly Finding[];
  readonly asOf: Date;
}

async function checkSender(ctx: Context, { fromEmail }: Campaign): Promise<readonly Finding[]> {
  const from = domainOf(fromEmail);
  const alignment = await alignmentOf(ctx.core, ctx.projectId, from);
  return [judgeDomain(from, alignment.domain !== null, ctx.testMode), judgeAlignment(from, alignment)];
}

async function checkAudience(ctx: Context, campaign: Campaign, now: Date): Promise<readonly Finding[]> {
  const [count, { busiestDay }] = await Promise.all([
    countAudience(ctx.project, campaign, now),
    volumeSince(ctx.projectId, checkedSince(ctx, now)),
  ]);
  const counted =
    count > 0
      ? fine('audience', 'The audience has recipients.', `${count} recipients`)
      : found('warn', 'audience', 'The audience is empty.', 'Change the audience, or subscribe contacts.');
  return [counted, judgeVolume(count, busiestDay)];
}

/** Checks the contents of a campaign, each for those readers of the sample who get it. */
async function checkContents(
  ctx: Context,
  contents: readonly CampaignContentIn[],
  { readers, gaps, fetch }: { readonly readers: readonly ContactFields[]; readonly gaps: StringGaps; readonly fetch: boolean },
): Promise<readonly Finding[]> {
  const strings = await stringsOf(ctx.project);
  const languageFor = languageChooser(contents.flatMap(({ language }) => language ?? []));
  const checked: InLanguage[] = [];
  const messages = new Map<string | null, string>();
  // One after the other: contents are large, and the time of each is for its readers alone.
  for (const content of contents) {
    const { language, campaign } = content;
    const own = readers.filter(({ locale }) => languageFor(locale) === language);
    await awaitLargeWork(ctx, campaign.body.length);
    const placeholders = await checkPlaceholders(campaign, own, strings, (PLACEHOLDERS_MS * own.length) / Math.max(1, readers.length));
    await awaitLargeWork(ctx, campaign.body.length);
    const { findings, specimen } = await checkContent(ctx, content, strings, own[0]);
    const subjects = judgeSubjects(campaign.subject, campaign.abSubjectB);
    checked.push([language, [...checkStrings(gaps, language), ...placeholders, ...findings, subjects]]);
    if (fetch && specimen) messages.set(language, specimen.message);
  }
  const scores = await checkSpam(ctx, messages);
  return acrossLanguages(checked.map(([language, findings]) => [language, [...findings, ...(scores.get(language) ?? [])]]));
}

async function checkMessage(
  ctx: Context,
  campaign: Campaign,
  contents: readonly CampaignContentIn[],
  { asOf, fetch }: { readonly asOf: Date; readonly fetch: boolean },
): Promise<readonly Finding[]> {
  const readers = await sampleOf(ctx, campaign, asOf);
  const gaps = await missingStrings(ctx, campaign);
  return [...checkLanguages(campaign, readers, gaps), ...(await checkContents(ctx, contents, { readers, gaps, fetch }))];
}

const byOrder = (a: Finding, b: Finding): number => CHECKS.indexOf(a.check) - CHECKS.indexOf(b.check);

/**
 * Checks a draft or a scheduled campaign before its launch. Changes nothing. Without `fetch`, neither its links nor the spam filter are asked. Throws
 * `not_found`, and `invalid_state` for any other campaign.
 */
export async function preflight(ctx: Context, id: string, fetch: boolean): Promise<Preflight> {
  const campaign = await readCampaign(ctx, id);
  const { status } = campaign;
  if (status !== 'draft' && status !== 'scheduled')
    throw invalidState(`Only a draft or a scheduled campaign can be checked; this one is ${status}`);
  const asOf = new Date();
  const contents = contentsOf(campaign);
  const findings = await Promise.all([
    checkSender(ctx, campaign),
    checkAudience(ctx, campaign, asOf),
    checkMessage(ctx, campaign, contents, { asOf, fetch }),
    fetch ? checkLinks(ctx, contents) : [],
    complaintsOf(ctx, checkedSince(ctx, asOf)).then((finding) => [finding]),
  ]);
  return { campaignId: id, checks: findings.flat().sort(byOrder), asOf };
}
