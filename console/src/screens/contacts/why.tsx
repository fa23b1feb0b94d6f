import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { Pick, useCampaignNames } from '../../parts/conditions/names.tsx';
import { When } from '../../parts/dates.tsx';
import { Detail } from '../../parts/detail.tsx';
import { CloseButton, Dialog } from '../../parts/dialog.tsx';
import { count } from '../../parts/numbers.ts';
import { heldWords, skippedWords } from '../../parts/reasons.ts';
import { Answer } from '../../parts/states.tsx';

type Why = Schemas['Why'];
type Judgement = Schemas['Judgement'];

const VERDICTS: Readonly<Record<Why['verdict'], readonly [words: string, tone: 'good' | 'bad' | 'warn']>> = {
  delivered: ['delivered', 'good'],
  bounced: ['bounced', 'bad'],
  failed: ['failed', 'bad'],
  deferred: ['deferred', 'warn'],
  in_doubt: ['without a known end', 'warn'],
  pending: ['pending', 'warn'],
  skipped: ['skipped', 'warn'],
  not_in_audience: ['not in the audience', 'warn'],
  would_send: ['would be sent', 'good'],
  would_skip: ['would be skipped', 'warn'],
  enrolled: ['enrolled', 'good'],
  not_enrolled: ['not enrolled', 'warn'],
};

const CHECKS: Readonly<Partial<Record<Judgement['check'], string>>> = {
  project: 'Project enabled',
  audience: 'In the audience',
  campaign: 'Campaign not cancelled',
  restore: 'Not held back after a restore',
  contact: 'Contact exists',
  suppression: 'Address not suppressed',
  subscription: 'Subscribed',
  topic: 'In the topic',
  snooze: 'Marketing mail not paused',
  window: 'Send window',
  person_limits: 'Limits for the person',
  reputation: 'Reputation of the project',
  limits: 'Limits of the project',
  domain: 'Sender domain verified',
  hold: 'Campaign not on hold',
};

const Judged = ({ judgement: { check, passed, asOf, at, facts } }: { readonly judgement: Judgement }): ReactNode => (
  <li>
    <strong>{CHECKS[check] ?? check}</strong> <Badge of={passed ? 'passed' : 'not passed'} tone={passed ? 'good' : 'bad'} />{' '}
    <span className="hint">{asOf === 'now' ? 'as of now' : at !== null && <When at={at} />}</span>
    {!passed && <Detail data={facts} />}
  </li>
);

const Attempts = ({ attempts: { emailId, count: tried, words } }: { readonly attempts: NonNullable<Why['attempts']> }): ReactNode => (
  <p>
    <Link to={`/mail/${emailId}`}>View message</Link> ({count(tried)} {tried === 1 ? 'attempt' : 'attempts'})
    {words !== null && `. Last reply: ${words}`}
  </p>
);

function Explained({ why: { verdict, reason, detail, judgements, attempts } }: { readonly why: Why }): ReactNode {
  const [words, tone] = VERDICTS[verdict];
  return (
    <>
      <p role="status">
        <Badge of={words} tone={tone} /> {reason !== null && (verdict === 'pending' ? heldWords(reason) : skippedWords(reason, detail))}
      </p>
      {attempts && <Attempts attempts={attempts} />}
      <ol className="timeline">
        {judgements.map((judgement) => (
          <Judged key={judgement.check} judgement={judgement} />
        ))}
      </ol>
    </>
  );
}

function Explanation({ contactId, campaignId }: { readonly contactId: string; readonly campaignId: string }): ReactNode {
  const query = useQuery({
    queryKey: ['contacts', contactId, 'why', campaignId],
    queryFn: () => api.explainContact(contactId, { campaignId }),
  });
  return (
    <Answer query={query} what="the explanation">
      {(why) => <Explained why={why} />}
    </Answer>
  );
}

/** Chooses a campaign, and shows why the contact got it or did not; before its launch, what would happen. */
function Question({ contactId }: { readonly contactId: string }): ReactNode {
  const [campaignId, setCampaignId] = useState('');
  return (
    <>
      <Pick label="Campaign" value={campaignId} change={setCampaignId} rows={useCampaignNames()} />
      {campaignId !== '' && <Explanation contactId={contactId} campaignId={campaignId} />}
    </>
  );
}

/** Opens the question why a contact got a campaign, or did not. */
export function WhyButton({ contactId }: { readonly contactId: string }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Explain a campaign …
      </button>
      <Dialog title="Why did this contact get a campaign, or not?" isOpen={isOpen} close={close}>
        <Question contactId={contactId} />
        <CloseButton close={close} />
      </Dialog>
    </>
  );
}
