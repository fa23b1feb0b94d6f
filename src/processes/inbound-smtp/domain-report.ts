import { domainOf, networkOf } from '../../platform/addresses';
import type { Core } from '../../platform/core';
import { metrics } from '../../platform/metrics';
import { reporterOf, storeDomainReport } from '../../sending/domain-reports';
import type { Fate } from '../../sending/domain-reports';
import { authenticationOf } from './authenticate';
import type { Origin } from './authenticate';
import { isLooping } from './mail';
import type { Examined } from './examine';
import { examinerOf } from './examiner';
import { LOOPING, TRY_LATER, UNREADABLE } from './refusal';

/** Limit for the packed reports of a mail. */
const MOST_BYTES = 10 * 1_048_576;
const WANTED = { keepBytes: MOST_BYTES, claims: true, domainReports: true } as const;

/**
 * Takes mail at the address for reports on domains. A report that cannot be read, or that nobody is proved to have sent, is counted and accepted: its sender is a
 * machine that reads no answers. Takes the bytes. Throws a refusal where the sender is to come again, and for a message that loops.
 */
export async function takeDomainReports(core: Core, bytes: Buffer, origin: Origin & { readonly at: Date }): Promise<void> {
  const examined = await examineReports(core, bytes, origin);
  if (!examined) return count(core, 'unreadable');
  if (isLooping(examined.mail)) throw LOOPING;
  if (examined.domainReports.length === 0) return count(core, 'unreadable');
  const reporter = await provedReporter(core, examined, origin);
  for (const report of examined.domainReports) {
    if (!report) count(core, 'unreadable');
    else if (reporter === null) count(core, 'unproved');
    else count(core, await storeDomainReport(core, reporter, report, origin.at));
  }
}

/** Resolves to null for a message that cannot be read. */
async function examineReports(core: Core, bytes: Buffer, { host }: Origin): Promise<Examined | null> {
  try {
    return await examinerOf(core).examine(bytes, WANTED, networkOf(host.address));
  } catch (error) {
    if (error === UNREADABLE) return null;
    throw error;
  }
}

/** Throws a refusal while DNS does not say who sent the mail. */
async function provedReporter(core: Core, examined: Examined, origin: Origin): Promise<string | null> {
  const authentication = await authenticationOf(core, examined, origin);
  const reporter = examined.mail.hasOneAuthor ? reporterOf(domainOf(examined.mail.author.address.toLowerCase()), authentication) : null;
  if (reporter === null && (authentication.dkim === 'temperror' || authentication.spf === 'temperror')) throw TRY_LATER;
  return reporter;
}

function count({ log }: Core, result: Fate | 'unreadable' | 'unproved'): void {
  metrics.domainReports.inc({ result });
  if (result !== 'stored' && result !== 'repeated') log.info({ result }, 'A report on a domain was ignored');
}
