import type { ReactNode } from 'react';
import type { Schemas } from '../api.ts';
import { Conditions } from '../conditions/conditions.tsx';
import { SegmentLink } from '../conditions/names.tsx';
import { count } from '../numbers.ts';

type Campaign = Schemas['CampaignDetail'];
type Facts = readonly (readonly [string, ReactNode])[];

function Audience({ campaign: { audience, segmentId, filter } }: { readonly campaign: Campaign }): ReactNode {
  if (audience === 'segment' && segmentId !== null) return <SegmentLink id={segmentId} />;
  if (audience === 'filter' && filter !== null) return <Conditions tree={filter} />;
  return 'All subscribed contacts';
}

/** Says whom a campaign is for, and how many they are now. */
export const audienceFacts = (campaign: Campaign): Facts => [
  ['Audience', <Audience key="audience" campaign={campaign} />],
  ['Current recipients', campaign.estimatedAudience === null ? null : count(campaign.estimatedAudience)],
];

/** Says what a reader sees of a campaign before opening it. */
export const envelopeFacts = ({ subject, abSubjectB, previewText, fromName, fromEmail, replyTo }: Campaign): Facts => [
  [abSubjectB === null ? 'Subject' : 'Subject A', subject],
  ['Subject B', abSubjectB],
  ['Preview text', previewText],
  ['From', fromName === null ? fromEmail : `${fromName} <${fromEmail}>`],
  ['Reply-to', replyTo],
];
