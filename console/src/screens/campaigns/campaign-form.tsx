import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode, SubmitEvent } from 'react';
import { useNavigate, useParams } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { NEW_TREE } from '../../parts/conditions/language.ts';
import { faultsIn } from '../../parts/conditions/preview.tsx';
import { CodeField } from '../../parts/code/code-field.tsx';
import { TextField } from '../../parts/fields.tsx';
import { Faults } from '../../parts/form.tsx';
import { StartPage } from '../../parts/gallery/start-page.tsx';
import { useStart } from '../../parts/gallery/start.ts';
import type { Start } from '../../parts/gallery/start.ts';
import { FromField } from '../../parts/from-field.tsx';
import { Page } from '../../parts/page.tsx';
import { Preview } from '../../parts/preview.tsx';
import { Answer } from '../../parts/states.tsx';
import { SAVED, Unsaved, differs } from '../../parts/unsaved.tsx';
import { AudienceFields, BreakdownCard, audienceBody, audienceOf, useBreakdown } from './audience.tsx';
import type { Audience } from './audience.tsx';
import { isRunningSeries } from './schedule.ts';
import { NO_TIMING, TimingFields, timingBody, timingOf } from './timing.tsx';

type Campaign = Schemas['CampaignDetail'];

const TEXTS = ['name', 'subject', 'body', 'fromEmail', 'fromName', 'previewText', 'replyTo', 'abSubjectB', 'abSamplePct'] as const;
type Texts = Record<(typeof TEXTS)[number], string>;

const START = '<p>Hello {{firstName | "there"}},</p>\n<p></p>';
const NEW: Texts = {
  ...{ name: '', subject: '', body: START, fromEmail: '', fromName: '', previewText: '', replyTo: '', abSubjectB: '', abSamplePct: '20' },
};

const textsOf = (campaign: Campaign): Texts =>
  Object.fromEntries(TEXTS.map((name) => [name, String(campaign[name] ?? NEW[name])])) as Texts;

const orNull = (text: string): string | null => text.trim() || null;

const bodyOf = ({ abSamplePct, ...texts }: Texts, audience: Audience) => ({
  ...{ name: texts.name, subject: texts.subject, body: texts.body, fromEmail: texts.fromEmail },
  ...{ fromName: orNull(texts.fromName), previewText: orNull(texts.previewText), replyTo: orNull(texts.replyTo) },
  abSubjectB: orNull(texts.abSubjectB),
  ...(orNull(texts.abSubjectB) !== null && { abSamplePct: Number(abSamplePct) }),
  ...audienceBody(audience),
});

const EVERYBODY: Audience = { audience: 'all', segmentId: '', filter: NEW_TREE, topicId: '' };

type Put = (name: keyof Texts) => (value: string) => void;

const Sender = ({ texts, put }: { readonly texts: Texts; readonly put: Put }): ReactNode => (
  <>
    <FromField value={texts.fromEmail} change={put('fromEmail')} />
    <TextField label="From name" value={texts.fromName} change={put('fromName')} />
    <TextField label="Reply-to" type="email" hint="Empty: the From address" value={texts.replyTo} change={put('replyTo')} />
  </>
);

const Words = ({ texts, put }: { readonly texts: Texts; readonly put: Put }): ReactNode => (
  <>
    <TextField label="Subject" required value={texts.subject} change={put('subject')} />
    <TextField
      label="Subject B (A/B test)"
      hint="A sample gets subject A or B. All other recipients get the winner."
      value={texts.abSubjectB}
      change={put('abSubjectB')}
    />
    {texts.abSubjectB.trim() !== '' && (
      <TextField label="Sample size (%)" type="number" min={1} max={100} step={1} value={texts.abSamplePct} change={put('abSamplePct')} />
    )}
    <TextField label="Preview text" value={texts.previewText} change={put('previewText')} />
    <CodeField label="HTML" value={texts.body} change={put('body')} />
  </>
);

const startOf = (start: Start | null): Texts => ({
  ...NEW,
  ...(start && { subject: start.subject, previewText: start.previewText, body: start.body }),
});

interface FormProps {
  /** Null for a new one. */
  readonly campaign: Campaign | null;
  /** Content that a new one begins with; null for a blank one. */
  readonly start?: Start | null;
}

function CampaignForm({ campaign, start = null }: FormProps): ReactNode {
  const kept = {
    texts: campaign ? textsOf(campaign) : startOf(start),
    audience: campaign ? audienceOf(campaign) : EVERYBODY,
    timing: campaign ? timingOf(campaign) : NO_TIMING,
  };
  const isRunning = campaign !== null && isRunningSeries(campaign);
  const [texts, setTexts] = useState(kept.texts);
  const [audience, setAudience] = useState(kept.audience);
  const [timing, setTiming] = useState(kept.timing);
  const counting = useBreakdown(audience);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const saving = useMutation({
    mutationFn: () => {
      const body = { ...bodyOf(texts, audience), ...timingBody(timing, isRunning) };
      return campaign ? api.updateCampaign(campaign.campaignId, body) : api.createCampaign(body);
    },
    onSuccess: ({ campaignId }) => {
      void queries.invalidateQueries({ queryKey: ['campaigns'] });
      void navigate(`/campaigns/${campaignId}`, SAVED);
    },
  });
  const put: Put = (name) => (value) => setTexts((before) => ({ ...before, [name]: value }));
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <div className="columns even">
      <Unsaved is={differs({ texts, audience, timing }, kept)} />
      <form className="card" onSubmit={submit}>
        <fieldset>
          <legend className="unseen">The campaign</legend>
          <TextField label="Name" hint="Not visible to recipients" required value={texts.name} change={put('name')} />
          <AudienceFields audience={audience} change={setAudience} faults={faultsIn(saving.error ?? counting.error)} />
          <Sender texts={texts} put={put} />
          <Words texts={texts} put={put} />
          <TimingFields timing={timing} change={setTiming} isRunning={isRunning} />
          <Faults error={saving.error} />
          <button type="submit" className="primary" disabled={saving.isPending}>
            {isRunning ? 'Save for the turns to come' : 'Save draft'}
          </button>
        </fieldset>
      </form>
      <div>
        <BreakdownCard counting={counting} />
        <Preview content={{ subject: texts.subject, body: texts.body, type: 'marketing' }} />
      </div>
    </div>
  );
}

const UNDER = { label: 'Campaigns', to: '/campaigns' };

/** Asks what a new campaign begins with. */
export const StartCampaign = (): ReactNode => <StartPage title="New campaign" under={UNDER} page="/campaigns/new" />;

/** A campaign that is written. */
export function NewCampaign(): ReactNode {
  const query = useStart();
  return (
    <Page title="New campaign" under={UNDER}>
      <Answer query={query} what="the start">
        {(start) => <CampaignForm campaign={null} start={start} />}
      </Answer>
    </Page>
  );
}

/** A draft, or a recurring campaign, that is changed. */
export function EditCampaign(): ReactNode {
  const { id = '' } = useParams();
  const query = useQuery({ queryKey: ['campaigns', id], queryFn: () => api.getCampaign(id) });
  return (
    <Answer query={query} what="the campaign">
      {(campaign) => (
        <Page title={`Edit ${campaign.name}`} under={{ label: campaign.name, to: `/campaigns/${id}` }}>
          {campaign.status === 'draft' || isRunningSeries(campaign) ? (
            <CampaignForm campaign={campaign} />
          ) : (
            <p>You can edit only drafts and recurring campaigns. Duplicate the campaign to change it.</p>
          )}
        </Page>
      )}
    </Answer>
  );
}
