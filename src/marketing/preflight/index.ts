import { linksOf } from '../../message/template';
import type { ContactFields } from '../../message/template';
import { domainOf } from '../../platform/addresses';
import { invalidState } from '../../platform/core';
import type { Context } from '../../platform/core';
import { awaitLargeWork } from '../../platform/limits';
import { volumeSince } from '../../records/billing';
import { acrossLanguages } from '../../rules/preflight/by-language';
import type { InLanguage } from '../../rules/preflight/by-language';
import { CHECKS, fine, found, listed } from '../../rules/preflight/finding';
import type { Finding } from '../../rules/preflight/finding';
import { judgeAlignment, judgeDomain, judgeVolume, isFetched, linkFault } from '../../rules/preflight/judges';
import { judgeSubjects } from '../../rules/preflight/words';
import { languageChooser } from '../../rules/translations';
import { alignmentOf } from '../../sending/domains';
import { missingStrings, stringsOf } from '../../sending/translations';
import type { StringGaps } from '../../sending/translations';
import { complaintsOf, countAudience, checkedSince, readCampaign } from '../campaigns';
import type { Campaign } from '../campaigns';
import { checkContent, checkSpam, contentsOf } from './content';
import type { CampaignContentIn } from './content';
import { checkLanguages, checkStrings, checkPlaceholders, sampleOf } from './placeholders';
import { inLanes } from '../../platform/async';
import { MOST_REDIRECTS, callOut, redirectOf } from '../../platform/http-client';
import type { Answered } from '../../platform/http-client';
import { parsedUrl } from '../../rules/parsed-url';

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

const MOST_LINKS = 20;
const AT_ONCE = 5;
/** The limit for one request. */
const CALL_MS = 5_000;
/** No link is fetched after this. */
const ALL_MS = 15_000;

/** Statuses that say nothing about a link: servers send them to programs and serve browsers. */
const TURNED_AWAY: ReadonlySet<number> = new Set([401, 403, 405, 406, 407, 429, 451, 503, 999]);

/** The outcome of a link: it answers, perhaps elsewhere; it is dead; or it was not checked, and why. */
interface Fetched {
  readonly state: 'fine' | 'dead' | 'unchecked';
  readonly words?: string;
}

async function ask({ core, projectId }: Context, url: URL, method: 'HEAD' | 'GET'): Promise<Answered | null> {
  const permit = core.calls.ask({ kind: 'within', projectId, host: url.host });
  if (!permit) return null;
  const rules = { WEBHOOK_ALLOW_INSECURE: true, WEBHOOK_ALLOW_PRIVATE: core.config.WEBHOOK_ALLOW_PRIVATE };
  const call = { url, method, headers: { 'user-agent': 'Lettermill', accept: '*/*' }, body: null };
  const answered = await callOut(call, { rules, dns: core.dns, limitMs: CALL_MS });
  permit.leave(answered);
  return answered;
}

/** Asks with HEAD, and with GET where that brings no good answer: many servers do not know HEAD. */
async function headOrGet(ctx: Context, url: URL): Promise<Answered | null> {
  const answered = await ask(ctx, url, 'HEAD');
  const isOver = !answered || (answered.status !== null && answered.status < 400) || isRefused(answered);
  return isOver ? answered : ask(ctx, url, 'GET');
}

const isRefused = ({ errorClass }: Answered): boolean => errorClass === 'blocked address' || errorClass === 'blocked URL';

function stateOf(answered: Answered | null): Fetched {
  if (!answered) return { state: 'unchecked', words: 'its server is busy' };
  const { status, error, errorClass } = answered;
  if (status !== null) {
    if (status < 400) return { state: 'fine' };
    return TURNED_AWAY.has(status) ? { state: 'unchecked', words: `HTTP ${status}` } : { state: 'dead', words: `HTTP ${status}` };
  }
  if (isRefused(answered)) return { state: 'unchecked', words: 'its host is not public' };
  // No name server answered: that says nothing of the link.
  if (errorClass === 'EAI_AGAIN') return { state: 'unchecked', words: 'DNS did not answer' };
  return { state: 'dead', words: error ?? 'no answer' };
}

async function fetched(ctx: Context, first: URL): Promise<Fetched> {
  let url = first;
  for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
    const answered = await headOrGet(ctx, url);
    const target = answered && redirectOf(answered.status, answered.location, url);
    if (!target) {
      const end = stateOf(answered);
      return hops > 0 && end.state === 'fine' ? { state: 'fine', words: `redirects to ${url.host}` } : end;
    }
    url = target;
  }
  return { state: 'dead', words: `redirects more than ${MOST_REDIRECTS} times` };
}

async function fetchAll(ctx: Context, links: readonly string[]): Promise<ReadonlyMap<string, Fetched>> {
  const results = new Map<string, Fetched>();
  const until = performance.now() + ALL_MS;
  await inLanes(links.slice(0, MOST_LINKS), { atOnce: AT_ONCE, isOver: () => performance.now() >= until }, async (link) => {
    const url = parsedUrl(link);
    if (url) results.set(link, await fetched(ctx, url));
  });
  for (const [index, link] of links.entries()) {
    const words = index < MOST_LINKS ? 'there was no time left' : `only ${MOST_LINKS} links are fetched`;
    if (!results.has(link)) results.set(link, { state: 'unchecked', words });
  }
  return results;
}

type Links = ReturnType<typeof linksOf>;

const isToFetch = (link: Links[number]): boolean => isFetched(link) && linkFault(link) === null;

function judgeLinks(links: Links, results: ReadonlyMap<string, Fetched>): Finding {
  if (links.length === 0) return fine('links', 'The message has no links.');
  const faults = links.flatMap((link) => {
    const fault = linkFault(link);
    return fault === null ? [] : [`${link.text || 'an empty link'} ${fault}`];
  });
  const urls = new Set(links.filter(isToFetch).map(({ text }) => text));
  const said = (state: Fetched['state']): string[] =>
    [...urls].flatMap((url) => {
      const result = results.get(url);
      return result?.state === state && result.words ? [`${url}: ${result.words}`] : [];
    });
  const trouble = [...new Set(faults), ...said('dead')];
  const notes = [...said('fine'), ...said('unchecked').map((words) => `not checked: ${words}`)];
  const detail = listed([...trouble, ...notes]) || undefined;
  if (trouble.length === 0) return fine('links', 'No link is known to be broken.', detail);
  const what = `${trouble.length} ${trouble.length === 1 ? 'link looks' : 'links look'} broken.`;
  return found('warn', 'links', what, 'Correct the links, or remove them.', detail);
}

/**
 * Checks the links of all contents of a campaign: the form of all, and the answer of those without placeholders, with the guard and the limits of webhooks.
 * Fetches up to 20 links, each once, and begins no request after 15 seconds.
 */
async function checkLinks(ctx: Context, contents: readonly CampaignContentIn[]): Promise<readonly Finding[]> {
  const links = contents.map(({ language, campaign }) => [language, linksOf(campaign.body)] as const);
  const results = await fetchAll(ctx, [...new Set(links.flatMap(([, own]) => own.filter(isToFetch).map(({ text }) => text)))]);
  return acrossLanguages(links.map(([language, own]) => [language, [judgeLinks(own, results)]]));
}
