import type { ReactNode } from 'react';
import type { Schemas } from '../api.ts';
import { PreviewFrame } from '../message-frame.tsx';
import { Preview } from '../preview.tsx';
import { useMay } from '../../session/session.ts';
import { useFeedValues } from './feed.ts';

type Campaign = Schemas['CampaignDetail'];

/** Shows the message as a contact would read it; with its placeholders for a session that may not render it. */
export function Message({ campaign }: { readonly campaign: Campaign }): ReactNode {
  const mayChange = useMay('change');
  const known = useFeedValues(campaign);
  const { subject, body } = campaign;
  return mayChange ? (
    <Preview content={{ subject, body, type: 'marketing' }} known={known} />
  ) : (
    <PreviewFrame title="Message with placeholders" html={body} />
  );
}
