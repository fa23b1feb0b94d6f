import type { Verdict } from '../domains/answers';
import type { DmarcPolicy } from '../domains/dmarc';
import { fine, found } from './finding';
import type { Finding } from './finding';

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
