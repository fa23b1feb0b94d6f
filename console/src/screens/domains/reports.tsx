import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { count, percent } from '../../parts/numbers.ts';
import { Card, Facts } from '../../parts/page.tsx';
import { Answer } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';

type Reports = Schemas['DomainReports'];
type Source = Reports['dmarc']['sources'][number];

const SOURCES = 10;

const KINDS = {
  ours: ['sent here', 'good'],
  aligned: ['other sender, aligned', 'good'],
  failing: ['fails DMARC', 'bad'],
} as const;

function readinessOf({ ready, policy }: Reports['dmarc']): string {
  const days = `${count(ready.cleanDays)} clean ${ready.cleanDays === 1 ? 'day' : 'days'} in a row`;
  if (ready.reject && policy?.p !== 'reject') return `Ready for p=reject: ${days}`;
  if (ready.quarantine && policy?.p === 'none') return `Ready for p=quarantine: ${days}`;
  return policy?.p === 'reject' ? `Strictest policy, ${days}` : `Not ready for a stricter policy: ${days}`;
}

const Row = ({ source: { ip, kind, sender, messages, quarantined, rejected } }: { readonly source: Source }): ReactNode => {
  const [word, tone] = KINDS[kind];
  return (
    <tr>
      <th scope="row">{ip}</th>
      <td>{sender ?? 'Unknown'}</td>
      <td>
        <Badge of={word} tone={tone} />
      </td>
      <td>{count(messages)}</td>
      <td>{count(quarantined + rejected)}</td>
    </tr>
  );
};

const Sources = ({ dmarc: { sources, moreSources } }: Pick<Reports, 'dmarc'>): ReactNode => (
  <>
    <Table label="Sources of mail with this domain" columns={['IP address', 'Sender', 'Result', 'Messages', 'Quarantined or rejected']}>
      {sources.map((source) => (
        <Row key={`${source.ip} ${source.kind}`} source={source} />
      ))}
    </Table>
    {moreSources > 0 && <p className="hint">{count(moreSources)} more sources with fewer messages.</p>}
  </>
);

const Advice = ({ records }: Pick<Reports, 'records'>): ReactNode => (
  <>
    <p>No reports in the last 30 days. Publish these records to get them from mailbox providers every day.</p>
    <Facts facts={records.map(({ host, value }) => [`TXT ${host}`, <code key={host}>{value}</code>])} />
  </>
);

function Figures({ dmarc, tls }: Reports): ReactNode {
  const counted = dmarc.days.flatMap(({ sent, ours }) => (sent === null ? [] : [{ sent, ours }]));
  const sum = (member: 'sent' | 'ours'): string => count(counted.reduce((total, day) => total + day[member], 0));
  return (
    <>
      <Facts
        facts={[
          ['Messages in reports', count(dmarc.messages)],
          ['Passed DMARC', percent(dmarc.messages > 0 ? dmarc.aligned / dmarc.messages : null)],
          ['Sent here', counted.length > 0 && `${sum('sent')} on these days; reports saw ${sum('ours')} with your signature`],
          ['Policy', dmarc.policy && `p=${dmarc.policy.p}`],
          ['Readiness', dmarc.reports > 0 && readinessOf(dmarc)],
          ['TLS sessions', tls.reports > 0 && `${count(tls.successful)} successful, ${count(tls.failed)} failed`],
        ]}
      />
      {dmarc.sources.length > 0 && <Sources dmarc={dmarc} />}
    </>
  );
}

/** Shows what receivers report of a domain, or how to get reports. */
export function ReportsCard({ domainId }: { readonly domainId: string }): ReactNode {
  const query = useQuery({
    queryKey: ['domains', domainId, 'reports'],
    queryFn: () => api.getDomainReports(domainId, { limit: SOURCES }),
  });
  return (
    <Card title="DMARC and TLS reports">
      <Answer query={query} what="the reports">
        {(reports) => (reports.dmarc.reports + reports.tls.reports > 0 ? <Figures {...reports} /> : <Advice records={reports.records} />)}
      </Answer>
    </Card>
  );
}
