import type { ReactNode } from 'react';
import type { Schemas } from '../../parts/api.ts';
import { count } from '../../parts/numbers.ts';
import { Card, Facts } from '../../parts/page.tsx';

type Figures = Schemas['FormWithFigures']['figures'];

const CAUSES: Readonly<Record<keyof Figures['refused'], string>> = {
  honeypot: 'Hidden field filled in',
  tooFast: 'Sent faster than a person can',
  proofOfWork: 'No proof of work',
  rateLimited: 'Over a limit',
  suppressed: 'Address cannot receive mail',
  disposable: 'Disposable address',
  invalid: 'Missing or wrong answer',
  held: 'Form was held',
};

interface Of {
  readonly figures: Figures;
}

const allRefused = ({ refused }: Figures): number => Object.values(refused).reduce((sum, times) => sum + times, 0);

/** Shows what happened at a form since it was created. */
export const FormFigures = ({ figures }: Of): ReactNode => (
  <dl className="tiles">
    <div className="tile">
      <dt>Sign-ups</dt>
      <dd>{count(figures.submitted)}</dd>
    </div>
    <div className="tile">
      <dt>Confirmed</dt>
      <dd>{count(figures.confirmed)}</dd>
    </div>
    <div className="tile">
      <dt>Refused</dt>
      <dd>{count(allRefused(figures))}</dd>
    </div>
  </dl>
);

/** Shows the sign-ups that were refused by their cause; nothing if there are none. */
export const Refused = ({ figures }: Of): ReactNode =>
  allRefused(figures) > 0 && (
    <Card title="Refused sign-ups">
      <Facts
        facts={Object.entries(CAUSES).map(([cause, words]) => {
          const times = figures.refused[cause as keyof typeof CAUSES];
          return [words, times > 0 && count(times)];
        })}
      />
    </Card>
  );
