import { domainOf } from '../../platform/addresses';
import { invalidState } from '../../platform/core';
import type { Context } from '../../platform/core';
import { awaitLargeWork } from '../../platform/limits';
import { volumeSince } from '../../records/billing';
import { CHECKS, fine, found } from '../../rules/preflight/finding';
import type { Finding } from '../../rules/preflight/finding';
import { judgeAlignment, judgeDomain } from '../../rules/preflight/sender';
import { judgeVolume } from '../../rules/preflight/volume';
import { judgeSubjects } from '../../rules/preflight/words';
import { alignmentOf } from '../../sending/domains';
import { stringsOf } from '../../sending/translations';
import { complaintsOf, countAudience, checkedSince, missingStrings, readCampaign } from '../campaigns';
import type { Campaign } from '../campaigns';
import { checkContent } from './content';
import { checkLanguages, checkStrings } from './languages';
import { checkLinks } from './links';
import { checkPlaceholders } from './placeholders';
import { sampleOf } from './readers';

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

async function checkMessage(ctx: Context, campaign: Campaign, now: Date): Promise<readonly Finding[]> {
  const readers = await sampleOf(ctx, campaign, now);
  await awaitLargeWork(ctx, campaign.body.length);
  const [strings, stringsMissing] = [await stringsOf(ctx.project), await missingStrings(ctx, campaign)];
  return [
    ...checkLanguages(campaign, readers, stringsMissing),
    ...checkStrings(stringsMissing),
    await checkPlaceholders(campaign, readers, strings),
    ...(await checkContent(ctx, campaign, readers[0])),
  ];
}

const byOrder = (a: Finding, b: Finding): number => CHECKS.indexOf(a.check) - CHECKS.indexOf(b.check);

/** Checks a draft or a scheduled campaign before its launch. Changes nothing. Throws `not_found`, and `invalid_state` for any other campaign. */
export async function preflight(ctx: Context, id: string): Promise<Preflight> {
  const campaign = await readCampaign(ctx, id);
  const { status, subject, abSubjectB, body, variants } = campaign;
  if (status !== 'draft' && status !== 'scheduled')
    throw invalidState(`Only a draft or a scheduled campaign can be checked; this one is ${status}`);
  const asOf = new Date();
  const findings = await Promise.all([
    checkSender(ctx, campaign),
    checkAudience(ctx, campaign, asOf),
    checkMessage(ctx, campaign, asOf),
    checkLinks(ctx, [body, ...Object.values(variants ?? {}).map((variant) => variant.body)].join('\n')).then((finding) => [finding]),
    complaintsOf(ctx, checkedSince(ctx, asOf)).then((finding) => [finding]),
  ]);
  const checks = [...findings.flat(), judgeSubjects(subject, abSubjectB)].sort(byOrder);
  return { campaignId: id, checks, asOf };
}
