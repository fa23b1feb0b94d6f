import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Schemas } from '../api.ts';
import { ChoiceField } from '../fields.tsx';
import { contentName } from '../languages/names.ts';
import { PreviewFrame } from '../message-frame.tsx';
import { InboxLine, Preview } from '../preview.tsx';
import { useFeedValues } from './feed.ts';

interface MessageProps {
  readonly campaign: Schemas['CampaignDetail'];
  /** Whether the session may render it. */
  readonly mayRender: boolean;
}

/** Shows the message in one of its languages, as a contact would read it, or with its placeholders. */
export function Message({ campaign, mayRender }: MessageProps): ReactNode {
  const known = useFeedValues(campaign);
  const [language, choose] = useState('');
  const variants = campaign.variants ?? {};
  const { subject, previewText = null, body } = variants[language] ?? campaign;
  const languages = Object.keys(variants);
  return (
    <>
      {languages.length > 0 && (
        <ChoiceField
          label="Language"
          value={language}
          change={choose}
          options={[['', contentName(null)], ...languages.map((tag) => [tag, contentName(tag)] as const)]}
        />
      )}
      {mayRender ? (
        <Preview content={{ subject, previewText, body, type: 'marketing', ...(language !== '' && { language }) }} known={known} />
      ) : (
        <>
          <InboxLine subject={subject} previewText={previewText} />
          <PreviewFrame title="Message with placeholders" html={body} />
        </>
      )}
    </>
  );
}
