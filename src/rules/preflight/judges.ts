import { fine, found, listed } from './finding';
import type { Finding } from './finding';
import { parsedUrl } from '../parsed-url';
import type { Verdict } from '../domains/answers';
import type { DmarcPolicy } from '../domains/dmarc';
import { providerOf } from '../mail-provider';

/** With this many messages a day, Gmail, Yahoo and Microsoft treat a sender as a bulk sender. */
const BULK = 5_000;
/** An audience of more than `FEW`, and of more than `JUMP` times the busiest day, is a jump. */
const FEW = 1_000;
const JUMP = 3;

/** Judges the size of an audience against the busiest day of the last 30 days. */
export function judgeVolume(audience: number, busiestDay: number): Finding {
  const detail = `${audience} recipients; at most ${busiestDay} messages on a day of the last 30 days`;
  if (audience > FEW && audience > JUMP * busiestDay) {
    const how = 'Send in steps with a `rollout`, set `throttlePerMinute`, or begin with the segment that reads your mail most.';
    return found('warn', 'volume', 'The audience is much larger than what you sent before, which providers take for spam.', how, detail);
  }
  if (audience >= BULK && busiestDay < BULK) {
    const how = 'Check SPF, DKIM, DMARC and one-click unsubscribe above: bulk senders need all of them.';
    return found('warn', 'volume', 'With 5,000 messages a day you become a bulk sender for Gmail, Yahoo and Microsoft.', how, detail);
  }
  return fine('volume', 'The audience fits what you sent before.', detail);
}

/** A link as its author wrote it: whole, and the texts between its placeholders. */
interface Written {
  readonly text: string;
  readonly fixed: readonly string[];
}

const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const UNSAFE = /^(javascript|data|vbscript|file|blob)$/i;
/** Stands for the value of a placeholder. */
const VALUE = 'x';

function webFault(written: string, hasValues: boolean): string | null {
  const url = parsedUrl(written);
  if (!url) return 'is not a URL';
  // A value may bring the rest of the name.
  return hasValues || /[.:]/.test(url.hostname) || url.hostname === 'localhost' ? null : 'has no full host name';
}

/** Returns what is wrong with the form of a link, or null. What placeholders bring is taken as right. */
export function linkFault(link: Written): string | null {
  const {
    text,
    fixed: [first = ''],
  } = link;
  if (text === '' || text === '#') return 'leads nowhere';
  if (first === '' || first.startsWith('#')) return null;
  const scheme = SCHEME.exec(first)?.[1]?.toLowerCase();
  return scheme === undefined ? 'does not begin with https://' : faultByScheme(scheme, link);
}

function faultByScheme(scheme: string, { text, fixed }: Written): string | null {
  const hasValues = fixed.length > 1;
  if (scheme === 'http' || scheme === 'https') return webFault(fixed.join(VALUE), hasValues);
  if (scheme === 'mailto') return hasValues || text.includes('@') ? null : 'names no address';
  return UNSAFE.test(scheme) ? 'has a scheme that is removed from mail' : null;
}

/** Returns whether a link can be fetched as it is written. */
export const isFetched = ({ text, fixed }: Written): boolean => fixed.length === 1 && /^https?:/i.test(text);

interface Aligned {
  readonly policy: DmarcPolicy | 'none' | 'unknown';
  readonly domain: { readonly development: boolean } | null;
  readonly dkim: Verdict;
  readonly spf: boolean;
}

const PUBLISH = 'Publish `v=DMARC1; p=none; rua=mailto:…` as a TXT record at `_dmarc.` and your domain.';
const MEND = 'Publish the DKIM record that the page of the domain shows, and check the domain again.';

function unaligned(enforced: boolean, { domain }: Aligned, detail: string): Finding {
  if (!enforced || domain?.development !== false) {
    return found('warn', 'dmarc', 'Mail from this domain does not pass DMARC.', MEND, detail);
  }
  return found(
    'block',
    'dmarc',
    'Mail from this domain fails DMARC, and its policy asks receivers to quarantine or reject it.',
    MEND,
    detail,
  );
}

/** Judges whether mail passes DMARC, by DKIM with the From domain's key or by SPF with its bounce domain. */
export function judgeAlignment(from: string, aligned: Aligned): Finding {
  const { policy, dkim, spf } = aligned;
  if (policy === 'unknown') {
    return found('warn', 'dmarc', 'DNS did not answer, so DMARC was not checked.', 'Run the checks again in a minute.', `_dmarc.${from}`);
  }
  if (policy === 'none') return found('warn', 'dmarc', 'The domain has no DMARC record.', PUBLISH, `_dmarc.${from}`);
  const detail = `p=${policy.policy}; DKIM ${dkim === 'verified' ? 'aligned' : dkim === 'wrong' ? 'not published' : 'not checked'}; SPF ${spf ? 'aligned' : 'not aligned'}`;
  if (dkim === 'verified' || spf) return fine('dmarc', 'Mail from this domain passes DMARC.', detail);
  if (dkim === 'unknown') {
    return found('warn', 'dmarc', 'DNS did not answer for the DKIM key.', 'Run the checks again in a minute.', detail);
  }
  return unaligned(policy.policy !== 'none', aligned, detail);
}

/** Judges whether a campaign may send from its domain. In test mode nothing leaves, so no domain is needed. */
export function judgeDomain(from: string, isVerified: boolean, testMode: boolean): Finding {
  if (isVerified) return fine('sending_domain', 'The From domain is verified.', from);
  const how = 'Add the domain and publish its records, or use a From address of a verified domain.';
  if (testMode) return found('warn', 'sending_domain', 'The From domain is not verified. Live mail needs it.', how, from);
  return found('block', 'sending_domain', 'The From domain is not verified, so the launch is refused, also with `force`.', how, from);
}

/** Sent mail, and how much of it was reported as spam. */
interface Complaints {
  readonly sent: number;
  readonly complained: number;
}

/** The shares that Gmail and Yahoo name: what a sender stays below, and from which on mail is refused. */
const WARN_RATE = 0.001;
export const BLOCK_RATE = 0.003;
/** Fewer messages to a provider say nothing: one complaint would decide. */
const FLOOR = 1_000;
/** With fewer complaints, no provider can have the share that blocks. */
export const LEAST_COMPLAINTS = FLOOR * BLOCK_RATE;

const EVERYBODY = 'all providers together';

const percent = (rate: number): string => `${(rate * 100).toFixed(2)} %`;

/** Adds up the counts of domains by provider. */
function byProvider(domains: ReadonlyMap<string, Complaints>): ReadonlyMap<string, Complaints> {
  const providers = new Map<string, Complaints>();
  for (const [domain, { sent, complained }] of domains) {
    const name = providerOf(domain);
    const before = providers.get(name) ?? { sent: 0, complained: 0 };
    providers.set(name, { sent: before.sent + sent, complained: before.complained + complained });
  }
  return providers;
}

/** Judges the complaint rates of a project and of each provider that got enough of its mail. */
export function judgeComplaints(all: Complaints, domains: ReadonlyMap<string, Complaints>): Finding {
  const judged = [[EVERYBODY, all] as const, ...byProvider(domains)]
    .filter(([, { sent }]) => sent >= FLOOR)
    .map(([name, { sent, complained }]) => ({ name, sent, complained, rate: complained / sent }));
  const high = judged.filter(({ rate }) => rate >= WARN_RATE).sort((a, b) => b.rate - a.rate);
  const detail = listed(high.map(({ name, sent, complained, rate }) => `${name}: ${percent(rate)} (${complained} of ${sent})`));
  const [worst] = high;
  if (!worst) return fine('complaint_rate', 'Few recipients report your mail as spam.');
  if (worst.rate < BLOCK_RATE) {
    const how = 'Send to people who read your mail, and make it easy to unsubscribe. Stay below 0.1 %.';
    return found('warn', 'complaint_rate', 'At least 0.1 % of recipients report your mail as spam.', how, detail);
  }
  const how = 'Pause campaigns and remove contacts that do not read your mail. Send again once the rate is below 0.1 %.';
  return found(
    'block',
    'complaint_rate',
    'At least 0.3 % of recipients report your mail as spam; providers refuse mail at that rate.',
    how,
    detail,
  );
}
