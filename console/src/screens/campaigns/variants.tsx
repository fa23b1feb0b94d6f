import type { ReactNode } from 'react';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { When } from '../../parts/dates.tsx';
import { count, percent } from '../../parts/numbers.ts';
import { Card, Facts } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';
import { Interval } from './interval.tsx';

type Campaign = Schemas['CampaignDetail'];
type Difference = Schemas['VariantDifference'];

const points = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1, signDisplay: 'exceptZero' });
const pointsOf = (share: number): string => points.format(share * 100);

const VERDICTS: Readonly<Record<Difference['winner'], string>> = {
  a: 'A performs better.',
  b: 'B performs better.',
  none: 'No clear winner: the difference may be due to chance.',
};

/** A difference with the interval that the true one lies in. */
const Differs = ({ by }: { readonly by: Difference }): ReactNode => (
  <>
    <Interval of={by} />
    {`${pointsOf(by.difference)} percentage points, between ${pointsOf(by.low)} and ${pointsOf(by.high)}. ${VERDICTS[by.winner]}`}
  </>
);

const share = (part: number, whole: number): string => `${count(part)} (${percent(whole === 0 ? null : part / whole)})`;

interface RowProps {
  readonly name: 'a' | 'b';
  readonly subject: string;
  readonly campaign: Campaign;
}

function Variant({ name, subject, campaign: { variants, abWinner } }: RowProps): ReactNode {
  const { sent, opened, clicked } = variants?.[name] ?? { sent: 0, opened: 0, clicked: 0 };
  return (
    <tr>
      <th scope="row">
        {name.toUpperCase()}: {subject} {abWinner === name && <Badge of="winner" tone="good" />}
      </th>
      <td>{count(sent)}</td>
      <td>{share(opened, sent)}</td>
      <td>{share(clicked, sent)}</td>
    </tr>
  );
}

const differencesIn = (comparison: Campaign['comparison']): readonly (readonly [string, ReactNode])[] =>
  comparison
    ? [
        ['Opens: difference (A − B)', comparison.opens && <Differs key="opens" by={comparison.opens} />],
        ['Clicks: difference (A − B)', comparison.clicks && <Differs key="clicks" by={comparison.clicks} />],
        ['Confidence', percent(comparison.confidence)],
      ]
    : [];

/** Shows the results of both subjects of an A/B test, and how certain they are; nothing for a campaign with one subject. */
export function Variants({ campaign }: { readonly campaign: Campaign }): ReactNode {
  const { abSubjectB, abSamplePct, abDecideAt, comparison, subject } = campaign;
  if (abSubjectB === null) return null;
  return (
    <Card title="A/B test">
      <Table label="Results by variant" columns={['Variant', 'Sent', 'Opened', 'Clicked']}>
        <Variant name="a" subject={subject} campaign={campaign} />
        <Variant name="b" subject={abSubjectB} campaign={campaign} />
      </Table>
      <Facts
        facts={[
          ['Sample', abSamplePct === null ? null : `${abSamplePct} % of the audience`],
          ['Winner chosen at', abDecideAt && <When key="at" at={abDecideAt} />],
          ['Winner chosen', comparison?.decidedAt && <When key="decided" at={comparison.decidedAt} />],
          ...differencesIn(comparison),
        ]}
      />
    </Card>
  );
}
