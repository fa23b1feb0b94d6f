import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { useChanged } from '../../parts/changed.ts';
import { When } from '../../parts/dates.tsx';
import { TextField } from '../../parts/fields.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { count } from '../../parts/numbers.ts';
import { Card, Facts, Page } from '../../parts/page.tsx';
import { Answer } from '../../parts/states.tsx';
import { planName } from '../../parts/texts.ts';
import { Usage } from '../../parts/usage.tsx';
import { useMay } from '../../session/session.ts';

type Billing = Schemas['Billing'];

const CAPS = [
  ['monthlyLimit', 'Total', ({ limit }: Billing) => limit],
  ['monthlyLimitTransactional', 'API', ({ categories }: Billing) => categories.transactional.limit],
  ['monthlyLimitCampaign', 'Campaigns', ({ categories }: Billing) => categories.campaign.limit],
  ['monthlyLimitWorkflow', 'Automations', ({ categories }: Billing) => categories.workflow.limit],
  ['monthlyLimitInbound', 'Received', ({ categories }: Billing) => categories.inbound.limit],
] as const;

type Written = Readonly<Record<(typeof CAPS)[number][0], string>>;

const writtenOf = (billing: Billing): Written =>
  Object.fromEntries(CAPS.map(([name, , capOf]) => [name, String(capOf(billing) ?? '')])) as Written;

/** Returns only what was changed: a cap that is as it was is omitted. */
const changesIn = (written: Written, before: Written): Schemas['UpdateBillingRequest'] =>
  Object.fromEntries(
    CAPS.filter(([name]) => written[name] !== before[name]).map(([name]) => [
      name,
      written[name].trim() === '' ? null : Number(written[name]),
    ]),
  );

function CapsForm({ billing }: { readonly billing: Billing }): ReactNode {
  const [written, setWritten] = useState(() => writtenOf(billing));
  const changed = useChanged('billing');
  const send = async (): Promise<void> => {
    const changes = changesIn(written, writtenOf(billing));
    if (Object.keys(changes).length > 0) await api.updateBilling(changes);
  };
  return (
    <FormDialog
      label="Change limits"
      title="Monthly limits"
      begin={() => setWritten(writtenOf(billing))}
      send={send}
      done={changed}
      said="Limits saved."
    >
      {CAPS.map(([name, label]) => (
        <TextField
          key={name}
          label={label}
          inputMode="numeric"
          pattern="[0-9]*"
          placeholder="No limit"
          value={written[name]}
          change={(value) => setWritten((before) => ({ ...before, [name]: value }))}
        />
      ))}
    </FormDialog>
  );
}

const Plan = ({
  billing: { plan, planQuotas, creditsUsed, emailQuota, payments, paymentsSubscription },
}: {
  readonly billing: Billing;
}): ReactNode => (
  <Card title="Plan">
    <Facts
      facts={[
        ['Current', planName(plan)],
        ['Credits used this month', `${count(creditsUsed)} of ${count(emailQuota)}`],
        ...Object.entries(planQuotas).map(([name, quota]) => [planName(name), `${count(quota)} credits a month`] as const),
        ['Payments', payments.enabled ? payments.env.replace('_', ' ') : 'Not enabled'],
        ['Subscription', paymentsSubscription.status],
        ['Next payment', paymentsSubscription.nextBillingAt && <When key="next" at={paymentsSubscription.nextBillingAt} />],
        ['Ends on that date', paymentsSubscription.cancelAtNextBillingDate ? 'Yes' : null],
      ]}
    />
  </Card>
);

/** Shows the cost of a month's mail, and its limits. */
export function BillingPage(): ReactNode {
  const mayChange = useMay('manage');
  const query = useQuery({ queryKey: ['billing'], queryFn: () => api.getBilling() });
  return (
    <Answer query={query} what="billing">
      {(billing) => (
        <Page title="Billing" actions={mayChange && <CapsForm billing={billing} />}>
          <div className="split">
            <Usage billing={billing} />
            <Plan billing={billing} />
          </div>
        </Page>
      )}
    </Answer>
  );
}
