import type { ReactNode } from 'react';
import type { Schemas } from '../../parts/api.ts';
import { When } from '../../parts/dates.tsx';
import { count } from '../../parts/numbers.ts';
import { Card } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';

type Transport = Schemas['TransportFigures'];
type Ramp = NonNullable<Transport['ramp']>;

const COLUMNS = ['Transport', 'Sent', 'Delivered', 'Waiting to retry', 'Bounced', 'Waiting for tomorrow'];

const KINDS = { smarthost: 'relay', direct: 'direct delivery' } as const;

const OVERFLOW = { wait: 'More mail waits for it.', other: 'More mail goes over another transport.' } as const;

const HELD_BACK = {
  refused: 'The limit did not rise today, because too much was refused.',
  unused: 'The limit did not rise today, because no mail was sent the day before.',
} as const;

interface BarProps {
  readonly of: string;
  readonly used: Ramp['used'][number];
  readonly amount: number;
}

const Bar = ({ of, used: { provider, used }, amount }: BarProps): ReactNode => (
  <>
    {provider !== null && `${provider}: `}
    {count(used)} of {count(amount)} today
    <meter
      aria-label={`${provider === null ? of : `${of}, ${provider}`}: share of today’s limit used`}
      min={0}
      max={amount}
      high={amount * 0.8}
      value={used}
    />
  </>
);

/** Shows what a ramp has left today, and when the next day begins. */
const Limit = ({ of, ramp }: { readonly of: string; readonly ramp: Ramp }): ReactNode => (
  <div>
    <dt>{of}</dt>
    <dd>
      {ramp.used.length === 0 && `${count(ramp.amount)} for each provider today`}
      {ramp.used.map((one) => (
        <Bar key={one.provider} of={of} used={one} amount={ramp.amount} />
      ))}
      <p className="hint">
        Day {count(ramp.step)} of {count(ramp.steps)}. The next one begins <When at={ramp.nextDayAt} />.{' '}
        {ramp.heldBack !== null && HELD_BACK[ramp.heldBack]} {OVERFLOW[ramp.overflow]}
      </p>
    </dd>
  </div>
);

const Row = ({ of }: { readonly of: Transport }): ReactNode => (
  <tr>
    <th scope="row">
      {of.name} <span className="hint">{of.kind === null ? 'not used any more' : KINDS[of.kind]}</span>
    </th>
    <td>{count(of.sent)}</td>
    <td>{count(of.delivered)}</td>
    <td>{count(of.deferred)}</td>
    <td>{count(of.bounced)}</td>
    <td>{count(of.waiting)}</td>
  </tr>
);

/** Shows the outcome of the mail over each transport, and what is left of its daily limit, which all projects share. */
export const Transports = ({ transports }: { readonly transports: readonly Transport[] }): ReactNode => (
  <Card title="Transports">
    <Table label="Mail by transport" columns={COLUMNS}>
      {transports.map((one) => (
        <Row key={one.name} of={one} />
      ))}
    </Table>
    {transports.some(({ ramp }) => ramp !== null) && (
      <dl className="facts">{transports.map(({ name, ramp }) => ramp !== null && <Limit key={name} of={name} ramp={ramp} />)}</dl>
    )}
    <p className="hint">
      The operator sets up transports. A daily limit warms up a new one, and all projects share it.{' '}
      <a href="/docs/guides/transports">Read about transports</a>
    </p>
  </Card>
);
