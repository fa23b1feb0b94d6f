import { providerOf } from '../mail-provider';
import { fine, found, listed } from './finding';
import type { Finding } from './finding';

/** Sent mail, and how much of it was reported as spam. */
export interface Complaints {
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
