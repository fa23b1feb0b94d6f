import type { ReactNode } from 'react';
import type { Schemas } from '../../parts/api.ts';
import { AsOf } from '../../parts/dates.tsx';
import { HeldFor } from '../../parts/held-for.tsx';
import { count, percent } from '../../parts/numbers.ts';
import { Card } from '../../parts/page.tsx';
import { heldWords } from '../../parts/reasons.ts';
import { Estimated } from './interval.tsx';

type Campaign = Schemas['CampaignDetail'];

const FIGURES = [
  ['delivered', 'Delivered'],
  ['opened', 'Opened'],
  ['clicked', 'Clicked'],
  ['unsubscribed', 'Unsubscribed'],
  ['bounced', 'Bounced'],
  ['complained', 'Complained'],
  ['failed', 'Failed'],
  ['deferred', 'Deferred'],
  ['skipped', 'Skipped'],
] as const;

/** Says why a campaign is on hold; nothing if it is not. */
export const Held = ({ heldReason }: Pick<Campaign, 'heldReason'>): ReactNode =>
  heldReason !== null && (
    <p className="notice">
      <strong>On hold:</strong> {heldWords(heldReason)}.
    </p>
  );

/** Lists the providers that refuse the campaign's mail, and what to publish. */
const HeldProviders = ({ held = [] }: { readonly held: Campaign['heldProviders'] | undefined }): ReactNode =>
  held.map(({ remaining, ...hold }) => (
    <HeldFor
      key={hold.provider}
      provider={hold.provider}
      hold={hold}
      says={remaining !== null && `, and ${count(remaining)} recipients wait`}
    />
  ));

function Progress({ campaign: { sent, skipped, totalRecipients, heldReason, heldProviders } }: { readonly campaign: Campaign }): ReactNode {
  const done = sent + skipped;
  return (
    <Card title="Progress">
      <Held heldReason={heldReason} />
      <HeldProviders held={heldProviders} />
      <progress aria-label="Processed recipients" max={Math.max(totalRecipients, 1)} value={done} />
      <p role="status">
        {totalRecipients === 0 ? 'Counting the audience …' : `${count(done)} of ${count(totalRecipients)} recipients processed`}
      </p>
    </Card>
  );
}

interface MachinesProps {
  readonly machines: Schemas['MachineOpens'];
  readonly delivered: number;
}

/** Says what machines opened and clicked, which is in no figure, and how many messages people opened by an estimate. */
const Machines = ({ machines: { proxied, scanned, estimate }, delivered }: MachinesProps): ReactNode => (
  <div className="hint">
    <p>
      Not counted: {count(proxied)} messages loaded by Apple Mail’s privacy proxy, {count(scanned)} opened or clicked by other machines.
    </p>
    {estimate !== null && (
      <>
        <p>
          Estimated true opens: {count(estimate.opened)} ({count(estimate.low)} to {count(estimate.high)}, with a confidence of{' '}
          {percent(estimate.confidence)}), of {count(delivered)} delivered.
        </p>
        <Estimated of={estimate} all={delivered} />
      </>
    )}
  </div>
);

interface FiguresProps {
  readonly campaign: Campaign;
  /** When the figures were fetched. */
  readonly asOf: number;
}

/** Shows the results of a campaign so far, and as of when; while it is sending, also its progress. */
export function Figures({ campaign, asOf }: FiguresProps): ReactNode {
  const { status, sent, totalRecipients } = campaign;
  if (status === 'draft' || status === 'scheduled') return null;
  return (
    <>
      <dl className="tiles">
        <div className="tile">
          <dt>Recipients</dt>
          <dd>{count(totalRecipients)}</dd>
        </div>
        {FIGURES.map(([name, label]) => (
          <div key={name} className="tile">
            <dt>{label}</dt>
            <dd>
              {count(campaign[name])} {name !== 'skipped' && sent > 0 && <span className="hint">{percent(campaign[name] / sent)}</span>}
            </dd>
          </div>
        ))}
      </dl>
      <AsOf at={asOf} />
      {campaign.machines !== undefined && <Machines machines={campaign.machines} delivered={campaign.delivered} />}
      {status === 'sending' && <Progress campaign={campaign} />}
    </>
  );
}
