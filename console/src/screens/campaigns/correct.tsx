import { useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { useBrand } from '../../parts/blocks/brand.ts';
import { ContentField } from '../../parts/blocks/content-field.tsx';
import { contentOf, storedOf } from '../../parts/blocks/content.ts';
import { TextField } from '../../parts/fields.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { LanguageTabs } from '../../parts/languages/language-tabs.tsx';
import type { Variants } from '../../parts/languages/language-tabs.tsx';
import { variantsBody } from '../../parts/languages/variants.ts';
import { useChanged } from './changed.ts';

type Campaign = Schemas['CampaignDetail'];

const TEXTS = ['subject', 'previewText', 'fromName', 'replyTo'] as const;
type Texts = Record<(typeof TEXTS)[number], string>;

const NO_VARIANTS: Variants = {};

const writtenOf = (campaign: Campaign) => ({
  texts: Object.fromEntries(TEXTS.map((name) => [name, campaign[name] ?? ''])) as Texts,
  content: contentOf(campaign.body, campaign.bodyBlocks),
  variants: campaign.variants ?? NO_VARIANTS,
});

const orNull = (text: string): string | null => text.trim() || null;

const membersOf = ({ abSubjectB }: Campaign) =>
  [...(abSubjectB === null ? [] : (['abSubjectB'] as const)), 'previewText', 'fromName'] as const;

/** Returns a correction as the API takes it. A subject is given only if it is another one: that ends an A/B test. */
const bodyOf = (campaign: Campaign, { texts, content, variants }: ReturnType<typeof writtenOf>): Schemas['ReviseCampaignRequest'] => ({
  ...(texts.subject !== campaign.subject && { subject: texts.subject }),
  ...storedOf(content),
  ...{ previewText: orNull(texts.previewText), fromName: orNull(texts.fromName), replyTo: orNull(texts.replyTo) },
  variants: variantsBody(variants, membersOf(campaign)),
});

/** Corrects the content for the recipients whose message has not started, in each language. */
export function CorrectButton({ campaign }: { readonly campaign: Campaign }): ReactNode {
  const [written, setWritten] = useState(() => writtenOf(campaign));
  const [language, setLanguage] = useState<string | null>(null);
  const brand = useBrand();
  const { texts, content, variants } = written;
  const change = (part: Partial<typeof written>): void => setWritten((before) => ({ ...before, ...part }));
  const field = (name: keyof Texts) => ({
    value: texts[name],
    change: (value: string): void => change({ texts: { ...texts, [name]: value } }),
  });
  const begin = (): void => {
    setWritten(writtenOf(campaign));
    setLanguage(null);
  };
  return (
    <FormDialog
      label="Correct content …"
      title="Correct the content for the remaining recipients?"
      save="Save correction"
      begin={begin}
      send={() => api.reviseCampaign(campaign.campaignId, bodyOf(campaign, written))}
      done={useChanged()}
    >
      <p>Messages that have started keep their content.{campaign.abSubjectB === null ? '' : ' A new subject ends the A/B test.'}</p>
      <TextField label="From name" {...field('fromName')} />
      <TextField label="Reply-to" type="email" {...field('replyTo')} />
      <LanguageTabs
        texts={{ ...texts, body: content.body }}
        variants={variants}
        change={(changed) => change({ variants: changed })}
        members={membersOf(campaign)}
        language={language}
        show={setLanguage}
      >
        <TextField label="Subject" required {...field('subject')} />
        <TextField label="Preview text" {...field('previewText')} />
        {brand && <ContentField content={content} change={(changed) => change({ content: changed })} type="marketing" brand={brand} />}
      </LanguageTabs>
    </FormDialog>
  );
}
