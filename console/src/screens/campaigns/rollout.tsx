import type { ReactNode } from 'react';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { When } from '../../parts/dates.tsx';
import { count } from '../../parts/numbers.ts';
import { Card } from '../../parts/page.tsx';
import { spanWords } from '../../parts/span.tsx';
import { Table } from '../../parts/table.tsx';

type Step = Schemas['ShownRolloutStep'];

const TONES: Readonly<Record<Step['state'], 'good' | 'bad' | 'warn' | 'plain'>> = {
  pending: 'plain',
  sending: 'plain',
  waiting: 'warn',
  held: 'bad',
  done: 'good',
  cancelled: 'warn',
};

const RESULTS = [
  ['bounced', 'bounced'],
  ['refused', 'refused'],
  ['complained', 'complained'],
  ['failed', 'failed'],
] as const;

/** Says what went wrong of what was sent. */
function resultWords({ result }: Step): string {
  if (!result) return '';
  const wrong = RESULTS.flatMap(([name, words]) => (result[name] > 0 ? [`${count(result[name])} ${words}`] : []));
  return [`${count(result.sent)} sent`, ...wrong].join(', ');
}

const Wait = ({ step: { wait, checkAt } }: { readonly step: Step }): ReactNode =>
  checkAt !== null ? (
    <>
      until <When at={checkAt} />
    </>
  ) : (
    wait && spanWords(wait)
  );

const Findings = ({ steps }: { readonly steps: readonly Step[] }): ReactNode =>
  steps
    .filter(({ state }) => state === 'held')
    .flatMap(({ findings }) => findings)
    .map(({ check, what, how, detail }) => (
      <section key={`${check} ${detail}`} className="notice" aria-label={`Stopped by ${check.replaceAll('_', ' ')}`}>
        <p>
          <strong>{what}</strong> {how}
        </p>
        <p className="hint">{detail}</p>
      </section>
    ));

/** Shows the steps in which a campaign is sent, how far each is, and what stopped it; nothing of any other campaign. */
export const Rollout = ({ campaign: { rollout } }: { readonly campaign: Schemas['CampaignDetail'] }): ReactNode =>
  rollout && (
    <Card title="Rollout">
      <Findings steps={rollout} />
      <Table label="Steps of the rollout" columns={['Audience', 'State', 'Recipients', 'Wait', 'Result']}>
        {rollout.map((step) => (
          <tr key={step.percent}>
            <th scope="row">{step.percent}%</th>
            <td>
              <Badge of={step.state} tone={TONES[step.state]} />
            </td>
            <td>{step.recipients !== null && count(step.recipients)}</td>
            <td>
              <Wait step={step} />
            </td>
            <td>{resultWords(step)}</td>
          </tr>
        ))}
      </Table>
    </Card>
  );
