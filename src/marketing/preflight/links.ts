import { linksOf } from '../../message/template';
import { inLanes } from '../../platform/async';
import type { Context } from '../../platform/core';
import { MOST_REDIRECTS, callOut, redirectOf } from '../../platform/http-client';
import type { Answered } from '../../platform/http-client';
import { parsedUrl } from '../../rules/parsed-url';
import { acrossLanguages } from '../../rules/preflight/by-language';
import { fine, found, listed } from '../../rules/preflight/finding';
import type { Finding } from '../../rules/preflight/finding';
import { isFetched, linkFault } from '../../rules/preflight/links';
import type { CampaignContentIn } from './contents';

const MOST_LINKS = 20;
const AT_ONCE = 5;
/** The limit for one request. */
const CALL_MS = 5_000;
/** No link is fetched after this. */
const ALL_MS = 15_000;

/** Answers by which a server turns programs away, whatever it shows to readers. */
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
 * Fetches 20 links at most, each once, and begins no request after 15 seconds.
 */
export async function checkLinks(ctx: Context, contents: readonly CampaignContentIn[]): Promise<readonly Finding[]> {
  const links = contents.map(({ language, campaign }) => [language, linksOf(campaign.body)] as const);
  const results = await fetchAll(ctx, [...new Set(links.flatMap(([, own]) => own.filter(isToFetch).map(({ text }) => text)))]);
  return acrossLanguages(links.map(([language, own]) => [language, [judgeLinks(own, results)]]));
}
