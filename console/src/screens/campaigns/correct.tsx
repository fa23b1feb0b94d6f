import { useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { useBrand } from '../../parts/blocks/brand.ts';
import { ContentField } from '../../parts/blocks/content-field.tsx';
import { contentOf, storedOf, withContent } from '../../parts/blocks/content.ts';
import { LineField } from '../../parts/blocks/insert-field.tsx';
import { useChanged } from '../../parts/changed.ts';
import { TextField } from '../../parts/fields.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { LanguageTabs } from '../../parts/languages/language-tabs.tsx';
import { NO_VARIANTS, contentChanges, variantsBody } from '../../parts/languages/variants.ts';
import { orNull } from '../../parts/texts.ts';

type Campaign = Schemas['CampaignDetail'];

const TEXTS = ['subject', 'previewText', 'fromName', 'replyTo'] as const;
type Texts = Record<(typeof TEXTS)[number], string>;

const writtenOf = (campaign: Campaign) => ({
  texts: Object.fromEntries(TEXTS.map((name) => [name, campaign[name] ?? ''])) as Texts,
  content: contentOf(campaign.body, campaign.bodyBlocks),
  variants: campaign.variants ?? NO_VARIANTS,
});

const membersOf = ({ abSubjectB }: Campaign) =>
  [...(abSubjectB === null ? [] : (['abSubjectB'] as const)), 'previewText', 'fromName'] as const;

const bodyOf = ({ texts, content, variants }: ReturnType<typeof writtenOf>, members: ReturnType<typeof membersOf>) => ({
  subject: texts.subject,
  ...storedOf(content),
  previewText: orNull(texts.previewText),
  fromName: orNull(texts.fromName),
  replyTo: orNull(texts.replyTo),
  variants: variantsBody(variants, members),
});

const TOGETHER = [['body', 'bodyBlocks']] as const;

/** Corrects the content for the recipients whose message has not started, in each language. */
export function CorrectButton({ campaign }: { readonly campaign: Campaign }): ReactNode {
  // The campaign is refreshed behind the dialog; only what differs from its state at the opening is a correction.
  const [kept, setKept] = useState(() => writtenOf(campaign));
  const [written, setWritten] = useState(kept);
  const [language, setLanguage] = useState<string | null>(null);
  const brand = useBrand();
  const { texts, content, variants } = written;
  const members = membersOf(campaign);
  const change = (part: Partial<typeof written>): void => setWritten((before) => ({ ...before, ...part }));
  const field = (name: keyof Texts) => ({
    value: texts[name],
    change: (value: string): void => change({ texts: { ...texts, [name]: value } }),
  });
  const begin = (): void => {
    const opened = writtenOf(campaign);
    setKept(opened);
    setWritten(opened);
    setLanguage(null);
  };
  return (
    <FormDialog
      label="Correct content …"
      title="Correct the content for the remaining recipients?"
      save="Save correction"
      begin={begin}
      send={() => api.reviseCampaign(campaign.campaignId, contentChanges(bodyOf(written, members), bodyOf(kept, members), TOGETHER))}
      done={useChanged('campaigns')}
      said="Correction saved. The remaining recipients get it."
    >
      <p>Messages that have started keep their content.{campaign.abSubjectB === null ? '' : ' A new subject ends the A/B test.'}</p>
      <TextField label="From name" {...field('fromName')} />
      <TextField label="Reply-to" type="email" {...field('replyTo')} />
      <LanguageTabs
        texts={withContent(texts, content)}
        variants={variants}
        change={(changed) => change({ variants: changed })}
        members={members}
        type="marketing"
        language={language}
        show={setLanguage}
      >
        <LineField label="Subject" required {...field('subject')} />
        <LineField label="Preview text" {...field('previewText')} />
        {brand && <ContentField content={content} change={(changed) => change({ content: changed })} type="marketing" brand={brand} />}
      </LanguageTabs>
    </FormDialog>
  );
}
