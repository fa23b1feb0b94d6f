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
type Figures = Schemas['VariantFigures'];

const points = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1, signDisplay: 'exceptZero' });
const pointsOf = (share: number): string => points.format(share * 100);

/** Shows a difference with the interval that the true one lies in. */
const Differs = ({ by }: { readonly by: Difference }): ReactNode => (
  <>
    <Interval of={by} />
    {`${pointsOf(by.difference)} percentage points, between ${pointsOf(by.low)} and ${pointsOf(by.high)}`}
  </>
);

const share = (part: number, whole: number): string =>
  part > whole ? count(part) : `${count(part)} (${percent(whole === 0 ? null : part / whole)})`;

const minus = (all: Figures, part: Figures): Figures => ({
  sent: all.sent - part.sent,
  opened: all.opened - part.opened,
  clicked: all.clicked - part.clicked,
});

/** Counts what was sent with the winner's subject after it was chosen; null before that, and where nobody was left. */
function restOf({ bySubject, comparison, abWinner }: Campaign): Figures | null {
  if (!bySubject || !comparison?.decidedAt || abWinner === null) return null;
  const rest = minus(bySubject[abWinner], comparison.sample[abWinner]);
  return rest.sent > 0 ? rest : null;
}

/** Says which subject is better by the sample, and which one the rest got. */
function verdictOf(campaign: Campaign): string | null {
  const { comparison, abWinner, status } = campaign;
  if (!comparison?.opens) return null;
  const { winner } = comparison.opens;
  const better =
    winner === 'none' ? 'No clear winner: the difference in opens may be due to chance.' : `${winner.toUpperCase()} is opened more.`;
  if (abWinner === null) return status === 'sending' ? `So far: ${better} The winner is not chosen yet.` : better;
  return restOf(campaign) === null ? better : `${better} ${abWinner.toUpperCase()} was sent to the rest.`;
}

interface RowProps {
  readonly name: string;
  readonly subject: string;
  readonly figures: Figures;
  readonly isWinner?: boolean;
}

const Row = ({ name, subject, figures: { sent, opened, clicked }, isWinner = false }: RowProps): ReactNode => (
  <tr>
    <th scope="row">
      {name}: {subject} {isWinner && <Badge of="winner" tone="good" />}
    </th>
    <td>{count(sent)}</td>
    <td>{share(opened, sent)}</td>
    <td>{share(clicked, sent)}</td>
  </tr>
);

const NOTHING: Figures = { sent: 0, opened: 0, clicked: 0 };

const differencesIn = (comparison: Campaign['comparison']): readonly (readonly [string, ReactNode])[] =>
  comparison
    ? [
        ['Opens: difference (A − B)', comparison.opens && <Differs key="opens" by={comparison.opens} />],
        ['Clicks: difference (A − B)', comparison.clicks && <Differs key="clicks" by={comparison.clicks} />],
        ['Confidence', percent(comparison.confidence)],
      ]
    : [];

function Results({ campaign, subjectB }: { readonly campaign: Campaign; readonly subjectB: string }): ReactNode {
  const { abWinner, comparison, subject } = campaign;
  const rest = restOf(campaign);
  const sample = comparison?.sample ?? { a: NOTHING, b: NOTHING };
  return (
    <>
      <Table label="Results by variant" columns={['Variant', 'Sent', 'Opened', 'Clicked']}>
        <Row name="Sample A" subject={subject} figures={sample.a} isWinner={abWinner === 'a'} />
        <Row name="Sample B" subject={subjectB} figures={sample.b} isWinner={abWinner === 'b'} />
        {rest && <Row name="Rest" subject={abWinner === 'b' ? subjectB : subject} figures={rest} />}
      </Table>
      {rest && (
        <p className="hint">
          The sample counts until the winner was chosen. Later opens and clicks of the sample with that subject count in the rest.
        </p>
      )}
    </>
  );
}

const factsOf = ({ abSamplePct, abDecideAt, comparison }: Campaign): readonly (readonly [string, ReactNode])[] => [
  ['Sample', abSamplePct === null ? null : `${abSamplePct}% of the audience`],
  comparison?.decidedAt
    ? ['Winner chosen', <When key="decided" at={comparison.decidedAt} />]
    : ['Winner chosen at', abDecideAt && <When key="at" at={abDecideAt} />],
  ...differencesIn(comparison),
];

/** Shows what an A/B test found, by its sample, and what the rest got; nothing for a campaign with one subject. */
export function Variants({ campaign }: { readonly campaign: Campaign }): ReactNode {
  if (campaign.abSubjectB === null) return null;
  const verdict = verdictOf(campaign);
  return (
    <Card title="A/B test">
      {verdict !== null && (
        <p>
          <strong>{verdict}</strong>
        </p>
      )}
      <Results campaign={campaign} subjectB={campaign.abSubjectB} />
      <Facts facts={factsOf(campaign)} />
    </Card>
  );
}
