import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode, SubmitEvent } from 'react';
import { useNavigate, useParams } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { StandingChecks } from '../../parts/campaign/checks.tsx';
import { NEW_TREE } from '../../parts/conditions/language.ts';
import { faultsIn } from '../../parts/conditions/preview.tsx';
import { useBrand } from '../../parts/blocks/brand.ts';
import { ContentField } from '../../parts/blocks/content-field.tsx';
import { ReadersContext } from '../../parts/blocks/who-sees.tsx';
import { contentOf, storedOf, withContent, withDesign } from '../../parts/blocks/content.ts';
import type { MailContent } from '../../parts/blocks/content.ts';
import { starterDesign } from '../../parts/blocks/starter.ts';
import { LineField } from '../../parts/blocks/insert-field.tsx';
import { TextField } from '../../parts/fields.tsx';
import { StartPage } from '../../parts/gallery/start-page.tsx';
import { useStart } from '../../parts/gallery/start.ts';
import type { Start } from '../../parts/gallery/start.ts';
import { FromField, useLastSender } from '../../parts/from-field.tsx';
import type { Sender } from '../../parts/from-field.tsx';
import { LanguageTabs } from '../../parts/languages/language-tabs.tsx';
import { NO_VARIANTS, contentChanges, previewedIn, variantsBody } from '../../parts/languages/variants.ts';
import type { Variants } from '../../parts/languages/variants.ts';
import { Page } from '../../parts/page.tsx';
import { Preview } from '../../parts/preview.tsx';
import { SaveFaults, refuseOther } from '../../parts/saved-meanwhile.tsx';
import { Answer, Loading } from '../../parts/states.tsx';
import { orNull } from '../../parts/texts.ts';
import { say } from '../../parts/toasts/store.ts';
import { EDITED, SAVED, Unsaved, differs } from '../../parts/unsaved.tsx';
import { AudienceFields, BreakdownCard, audienceBody, audienceOf, readersOf, useBreakdown } from './audience.tsx';
import type { Audience } from './audience.tsx';
import { REVIEWED } from './send.tsx';
import { isRunningSeries } from './schedule.ts';
import { NO_TIMING, TimingFields, timingBody, timingOf } from './timing.tsx';
import type { Timing } from './timing.tsx';

type Campaign = Schemas['CampaignDetail'];

const TEXTS = ['name', 'subject', 'fromEmail', 'fromName', 'previewText', 'replyTo', 'abSubjectB', 'abSamplePct'] as const;
type Texts = Record<(typeof TEXTS)[number], string>;

const NEW: Texts = { name: '', subject: '', fromEmail: '', fromName: '', previewText: '', replyTo: '', abSubjectB: '', abSamplePct: '20' };

const textsOf = (campaign: Campaign): Texts =>
  Object.fromEntries(TEXTS.map((name) => [name, String(campaign[name] ?? NEW[name])])) as Texts;

const MEMBERS = ['abSubjectB', 'previewText', 'fromName'] as const;
/** A subject may be longer than a name. */
const LONGEST_NAME = 200;

interface Written {
  readonly texts: Texts;
  readonly content: MailContent;
  readonly variants: Variants;
  readonly audience: Audience;
  readonly timing: Timing;
}

const bodyOf = ({ texts: { abSamplePct, ...texts }, content, variants, audience, timing }: Written, isRunning: boolean) => ({
  name: texts.name.trim() || texts.subject.slice(0, LONGEST_NAME),
  subject: texts.subject,
  fromEmail: texts.fromEmail,
  ...storedOf(content),
  fromName: orNull(texts.fromName),
  previewText: orNull(texts.previewText),
  replyTo: orNull(texts.replyTo),
  abSubjectB: orNull(texts.abSubjectB),
  ...(orNull(texts.abSubjectB) !== null && { abSamplePct: Number(abSamplePct) }),
  variants: variantsBody(variants, MEMBERS),
  ...audienceBody(audience),
  ...timingBody(timing, isRunning),
});

const TOGETHER = [
  ['body', 'bodyBlocks'],
  ['audience', 'segmentId', 'filter'],
] as const;

const EVERYBODY: Audience = { audience: 'all', segmentId: '', filter: NEW_TREE, topicId: '' };

type Put = (name: keyof Texts) => (value: string) => void;

const SenderFields = ({ texts, put }: { readonly texts: Texts; readonly put: Put }): ReactNode => (
  <>
    <FromField value={texts.fromEmail} change={put('fromEmail')} />
    <TextField label="From name" value={texts.fromName} change={put('fromName')} />
    <TextField label="Reply-to" type="email" hint="Empty: the From address" value={texts.replyTo} change={put('replyTo')} />
  </>
);

const Words = ({ texts, put }: { readonly texts: Texts; readonly put: Put }): ReactNode => (
  <>
    <LineField label="Subject" required value={texts.subject} change={put('subject')} />
    <LineField
      label="Subject B (A/B test)"
      hint="A sample gets subject A or B. All other recipients get the winner."
      value={texts.abSubjectB}
      change={put('abSubjectB')}
    />
    {texts.abSubjectB.trim() !== '' && (
      <TextField label="Sample size (%)" type="number" min={1} max={100} step={1} value={texts.abSamplePct} change={put('abSamplePct')} />
    )}
    <LineField label="Preview text" value={texts.previewText} change={put('previewText')} />
  </>
);

const REVIEW = 'review';

/** Saves; a draft can be reviewed and sent from there at once. */
const SaveButtons = ({ isRunning, isPending }: { readonly isRunning: boolean; readonly isPending: boolean }): ReactNode => (
  <div className="actions">
    <button type="submit" className={isRunning ? 'primary' : undefined} disabled={isPending}>
      {isRunning ? 'Save for future turns' : 'Save draft'}
    </button>
    {!isRunning && (
      <button type="submit" id={REVIEW} className="primary" disabled={isPending}>
        Review and send …
      </button>
    )}
  </div>
);

type Brand = NonNullable<ReturnType<typeof useBrand>>;

const writtenOf = (campaign: Campaign): Written => ({
  texts: textsOf(campaign),
  content: contentOf(campaign.body, campaign.bodyBlocks),
  audience: audienceOf(campaign),
  timing: timingOf(campaign),
  variants: campaign.variants ?? NO_VARIANTS,
});

const startOf = (start: Start | null, brand: Brand, sender: Sender | null): Written => ({
  texts: { ...NEW, ...sender, ...(start && { subject: start.subject, previewText: start.previewText }) },
  content: start ? contentOf(start.body, start.design) : withDesign(starterDesign(brand, 'marketing')),
  audience: EVERYBODY,
  timing: NO_TIMING,
  variants: NO_VARIANTS,
});

const editedKey = (id: string) => ['campaigns', id, 'edited'] as const;

/** Saves the changes of a draft. Everything else stays as others have stored it. */
async function saveChanges(campaign: Campaign, seen: Campaign, written: Written): Promise<Pick<Campaign, 'campaignId'>> {
  const isRunning = isRunningSeries(campaign);
  const changes = (now: Written, before: Campaign) =>
    contentChanges(bodyOf(now, isRunning), bodyOf(writtenOf(before), isRunning), TOGETHER);
  const mine = changes(written, campaign);
  const stored = await api.getCampaign(campaign.campaignId);
  refuseOther(stored, mine, changes(writtenOf(stored), seen));
  return api.updateCampaign(campaign.campaignId, mine);
}

interface FormProps {
  /** Null for a new one. */
  readonly campaign: Campaign | null;
  /** Content that a new one begins with; null for a blank one. */
  readonly start?: Start | null;
}

function CampaignForm(props: FormProps): ReactNode {
  const brand = useBrand();
  const sender = useLastSender();
  if (!brand || sender === undefined) return <Loading what="the editor" />;
  return <BrandedForm {...props} brand={brand} sender={sender} />;
}

interface Wanted {
  /** The state of the page to go to once it is saved. */
  readonly next: typeof SAVED;
  /** The version that is replaced knowingly, if it is no longer the one that the form began with. */
  readonly seen?: Campaign;
}

interface BrandedProps extends FormProps {
  readonly brand: Brand;
  /** The sender that a new one begins with. */
  readonly sender: Sender | null;
}

function BrandedForm({ campaign, start = null, brand, sender }: BrandedProps): ReactNode {
  const [kept] = useState(() => (campaign ? writtenOf(campaign) : startOf(start, brand, sender)));
  const isRunning = campaign !== null && isRunningSeries(campaign);
  const [texts, setTexts] = useState(kept.texts);
  const [content, setContent] = useState(kept.content);
  const [audience, setAudience] = useState(kept.audience);
  const [timing, setTiming] = useState(kept.timing);
  const [variants, setVariants] = useState<Variants>(kept.variants);
  const written: Written = { texts, content, audience, timing, variants };
  const [language, setLanguage] = useState<string | null>(null);
  const counting = useBreakdown(audience);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const saving = useMutation({
    mutationFn: async ({ next, seen }: Wanted) => {
      const { campaignId } = await (campaign
        ? saveChanges(campaign, seen ?? campaign, written)
        : api.createCampaign(bodyOf(written, isRunning)));
      // What is reviewed is what is stored now.
      queries.removeQueries({ queryKey: ['campaigns', campaignId], exact: true });
      void queries.invalidateQueries({ queryKey: ['campaigns'] });
      void navigate(`/campaigns/${campaignId}`, next);
      say('Campaign saved.');
    },
  });
  const put: Put = (name) => (value) => setTexts((before) => ({ ...before, [name]: value }));
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    saving.mutate({ next: event.nativeEvent.submitter?.id === REVIEW ? REVIEWED : SAVED });
  };
  return (
    <div className="columns even">
      <Unsaved is={differs(written, kept)} />
      <form className="card" onSubmit={submit}>
        <fieldset>
          <legend className="unseen">The campaign</legend>
          <TextField label="Name" hint="Not visible to recipients. Empty: the subject" value={texts.name} change={put('name')} />
          <AudienceFields audience={audience} change={setAudience} faults={faultsIn(saving.error ?? counting.error)} />
          <SenderFields texts={texts} put={put} />
          <ReadersContext value={readersOf(audience)}>
            <LanguageTabs
              texts={withContent(texts, content)}
              variants={variants}
              change={setVariants}
              members={MEMBERS}
              type="marketing"
              language={language}
              show={setLanguage}
            >
              <Words texts={texts} put={put} />
              <ContentField content={content} change={setContent} type="marketing" brand={brand} />
            </LanguageTabs>
          </ReadersContext>
          <TimingFields timing={timing} change={setTiming} isRunning={isRunning} />
          <SaveFaults<Campaign>
            error={saving.error}
            page={`/campaigns/${campaign?.campaignId}`}
            replace={(seen) => saving.mutate({ next: saving.variables?.next ?? SAVED, seen })}
            discard={(stored) => queries.setQueryData(editedKey(stored.campaignId), stored)}
          />
          <SaveButtons isRunning={isRunning} isPending={saving.isPending} />
        </fieldset>
      </form>
      <div>
        <BreakdownCard counting={counting} />
        {campaign?.status === 'draft' && <StandingChecks campaignId={campaign.campaignId} hint="Of the draft as you last saved it." />}
        <Preview content={{ ...previewedIn({ ...texts, body: content.body }, variants, language), type: 'marketing' }} />
      </div>
    </div>
  );
}

const UNDER = { label: 'Campaigns', to: '/campaigns' };

/** Asks what a new campaign begins with. */
export const StartCampaign = (): ReactNode => <StartPage title="New campaign" under={UNDER} page="/campaigns/new" />;

/** Creates a campaign. */
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

/** Changes a draft or a recurring campaign. */
export function EditCampaign(): ReactNode {
  const { id = '' } = useParams();
  const query = useQuery({ queryKey: editedKey(id), queryFn: () => api.getCampaign(id), ...EDITED });
  return (
    <Answer query={query} what="the campaign">
      {(campaign) => (
        <Page title={`Edit ${campaign.name}`} under={{ label: campaign.name, to: `/campaigns/${id}` }}>
          {campaign.status === 'draft' || isRunningSeries(campaign) ? (
            <CampaignForm key={query.dataUpdatedAt} campaign={campaign} />
          ) : (
            <p>You can edit only drafts and recurring campaigns. Duplicate the campaign to change it.</p>
          )}
        </Page>
      )}
    </Answer>
  );
}
