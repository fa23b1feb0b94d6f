import type { ReactNode } from 'react';
import type { Schemas } from './api.ts';
import { When } from './dates.tsx';
import { counted } from './numbers.ts';

interface Props {
  readonly provider: string;
  readonly hold: Omit<Schemas['ProviderHold'], 'since'>;
  /** The end of the first sentence. */
  readonly says: ReactNode;
  readonly children?: ReactNode;
}

/** Says that a provider refuses the mail of campaigns: what it replied, what to do, and when it is checked. */
export const HeldFor = ({ provider, hold: { refused, how, reply, nextCheckAt }, says, children }: Props): ReactNode => (
  <section className="notice" aria-label={`Held for ${provider}`}>
    <p>
      <strong>{provider}</strong> refused {counted(refused, 'message')}
      {says}. {how}
    </p>
    <p>
      <code>{reply}</code>
    </p>
    {nextCheckAt !== null && (
      <p>
        Next check: <When at={nextCheckAt} />
      </p>
    )}
    {children}
  </section>
);
