import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Schemas } from '../../parts/api.ts';
import { When } from '../../parts/dates.tsx';
import { HeldFor } from '../../parts/held-for.tsx';
import { counted } from '../../parts/numbers.ts';

type Provider = Schemas['ProviderFigures'];

const Measure = ({ provider, measure: { do: what, until, perMinute = 0 } }: MeasureProps): ReactNode => (
  <section className="notice" aria-label={`Limited for ${provider}`}>
    <p>
      {what === 'suspend' ? 'No mail goes to ' : `Each worker sends at most ${counted(perMinute, 'message')} a minute to `}
      <strong>{provider}</strong> until <When at={until} />, because of its replies. The mail waits; waiting uses no attempts.
    </p>
    <p>It ends automatically. If the cause is gone, ask an operator to end it.</p>
  </section>
);

interface MeasureProps {
  readonly provider: string;
  readonly measure: Provider['measures'][number];
}

/** Shows for which providers mail is held or limited: why, since when or until when, and what to do. */
export const Held = ({ providers }: { readonly providers: readonly Provider[] }): ReactNode =>
  providers.map(({ provider, hold, measures }) => (
    <div key={provider}>
      {hold !== null && (
        <HeldFor
          provider={provider}
          hold={hold}
          says={
            <>
              , and campaigns have been held for it since <When at={hold.since} />
            </>
          }
        >
          <p>
            Do that, then wait for the check. Or resume one of the <Link to="/campaigns">campaigns</Link> to try at once.
          </p>
        </HeldFor>
      )}
      {measures.map((measure) => (
        <Measure key={`${measure.do} ${measure.until}`} provider={provider} measure={measure} />
      ))}
    </div>
  ));
