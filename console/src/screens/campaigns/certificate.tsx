import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ActionButton } from '../../parts/action-button.tsx';
import { api, fetchFile } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { When } from '../../parts/dates.tsx';
import { count } from '../../parts/numbers.ts';
import { Facts } from '../../parts/page.tsx';
import { skippedWords } from '../../parts/reasons.ts';
import { save } from '../../parts/save.ts';
import { Answer } from '../../parts/states.tsx';

type Certified = Schemas['CampaignCertificate'];

/** Returns the figure, left out where it is zero. */
const some = (value: number): string | null => (value === 0 ? null : count(value));

const Sums = ({ certificate }: { readonly certificate: Certified }): ReactNode => (
  <Facts
    facts={[
      ['Audience', count(certificate.audience)],
      ['Sent', count(certificate.sent)],
      ['Delivered', count(certificate.delivered)],
      ['Bounced: no such mailbox', some(certificate.bounced.hard)],
      ['Bounced: mailbox full', some(certificate.bounced.soft)],
      ['Bounced: refused', some(certificate.bounced.block)],
      ['Failed', some(certificate.failed)],
      ['Deferred', some(certificate.deferred)],
      ['Without a known end', some(certificate.inDoubt)],
      ...Object.entries(certificate.skipped).map(([reason, number]) => [`Skipped: ${skippedWords(reason)}`, some(number)] as const),
      ['Pending', some(certificate.pending)],
      ['Counted', <When key="asOf" at={certificate.asOf} />],
      ['Final', certificate.final ? 'Yes' : 'Not yet'],
      ['Final from', !certificate.final && certificate.finalAt !== null && <When key="final" at={certificate.finalAt} />],
      ['Last hash', <code key="head">{certificate.chain.head}</code>],
    ]}
  />
);

const CsvButton = ({ campaignId }: { readonly campaignId: string }): ReactNode => (
  <div className="actions">
    <ActionButton
      label="Download CSV"
      act={() => fetchFile(`/v1/campaigns/${campaignId}/certificate?format=csv`)}
      done={(file) => save(file, `${campaignId}-certificate.csv`)}
    />
  </div>
);

/** Shows how many of the audience got a campaign, who did not and why, and offers the list. All recipients are read for it. */
export function Certificate({ campaignId }: { readonly campaignId: string }): ReactNode {
  const query = useQuery({ queryKey: ['campaigns', campaignId, 'certificate'], queryFn: () => api.certifyCampaign(campaignId) });
  return (
    <Answer query={query} what="the certificate">
      {(certificate) => (
        <section className="card" aria-label="Certificate">
          <p className="hint">Every recipient is counted once: the audience is the sum of sent, skipped and pending.</p>
          <Sums certificate={certificate} />
          <CsvButton campaignId={campaignId} />
        </section>
      )}
    </Answer>
  );
}
