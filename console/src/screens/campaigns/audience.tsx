import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { ConditionEditor } from '../../parts/conditions/editor.tsx';
import type { Fault } from '../../parts/conditions/editor.tsx';
import { NEW_TREE } from '../../parts/conditions/language.ts';
import type { Tree } from '../../parts/conditions/language.ts';
import { SegmentName } from '../../parts/conditions/names.tsx';
import { faultsIn } from '../../parts/conditions/preview.tsx';
import { ChoiceField } from '../../parts/fields.tsx';
import { count } from '../../parts/numbers.ts';
import { Card } from '../../parts/page.tsx';
import { TopicField } from '../../parts/topic-field.tsx';
import { useSettled } from '../../parts/settled.ts';

type Campaign = Schemas['CampaignDetail'];
type Breakdown = Schemas['AudienceBreakdown'];

/** The audience of a campaign, as it is edited. */
export interface Audience {
  readonly audience: Campaign['audience'];
  readonly segmentId: string;
  readonly filter: Tree;
  /** The topic's id; empty for none. */
  readonly topicId: string;
}

export const audienceOf = ({
  audience,
  segmentId,
  filter,
  topicId,
}: Pick<Campaign, 'audience' | 'segmentId' | 'filter' | 'topicId'>): Audience => ({
  audience,
  segmentId: segmentId ?? '',
  topicId: topicId ?? '',
  filter: (filter as Tree | null) ?? NEW_TREE,
});

/** Returns the same values as the API takes them. */
export const audienceBody = ({ audience, segmentId, filter, topicId }: Audience) => ({
  audience,
  segmentId: audience === 'segment' ? segmentId : null,
  filter: audience === 'filter' ? filter : null,
  topicId: topicId === '' ? null : topicId,
});

const SUBSCRIBED: Tree['groups'][number] = { filters: [{ field: 'subscribed', operator: 'equals', value: true }] };

/** Returns the condition of an audience: subscribed contacts, of a segment or by a filter. */
export function readersOf({ audience, segmentId, filter }: Audience): Tree {
  const of: Tree['groups'] =
    audience === 'segment' && segmentId !== ''
      ? [{ filters: [{ field: `segment.${segmentId}`, operator: 'memberOf' }] }]
      : audience === 'filter'
        ? [{ filters: [], conditions: filter }]
        : [];
  return { logic: 'and', groups: [SUBSCRIBED, ...of] };
}

/** Counts the contacts of an audience, and those skipped, a moment after it was last changed. */
export function useBreakdown(audience: Audience) {
  const asked = useSettled(JSON.stringify(audienceBody(audience)));
  return useQuery({
    queryKey: ['campaigns', 'breakdown', asked],
    queryFn: () => api.breakDownAudience(JSON.parse(asked) as Schemas['BreakDownAudienceRequest']),
    placeholderData: keepPreviousData,
  });
}

type Counting = ReturnType<typeof useBreakdown>;

/** Returns why people of an audience get nothing, with where the reason is seen. */
function reasonsOf({ leftOut: { unsubscribed, suppressed, topic = 0 } }: Breakdown): readonly (readonly [number, string, to: string])[] {
  return [
    [unsubscribed, 'not subscribed to marketing', '/contacts?subscribed=false'],
    [topic, 'not in the topic', '/topics'],
    [suppressed.hard_bounce, 'hard bounce: the address does not exist', '/suppressions?reason=hard_bounce'],
    [suppressed.complaint, 'complaint: reported a message as spam', '/suppressions?reason=complaint'],
    [suppressed.unsubscribe, 'the address unsubscribed', '/suppressions?reason=unsubscribe'],
    [suppressed.manual, 'the address was suppressed manually', '/suppressions?reason=manual'],
  ];
}

/** Shows how many recipients an audience has, and how many contacts are skipped for which reason. */
export function LeftOut({ breakdown }: { readonly breakdown: Breakdown }): ReactNode {
  const { named, count: reached } = breakdown;
  const reasons = reasonsOf(breakdown).filter(([number]) => number > 0);
  return (
    <>
      <p role="status">
        Recipients: <strong>{count(reached)}</strong> of {count(named)} contacts
      </p>
      {reasons.length > 0 && (
        <>
          <p className="hint">Skipped:</p>
          <ul>
            {reasons.map(([number, words, to]) => (
              <li key={words}>
                {count(number)}: <Link to={to}>{words}</Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

export function BreakdownCard({ counting: { data, error } }: { readonly counting: Counting }): ReactNode {
  return (
    <Card title="Recipients">
      {error ? (
        <p className="fault" role="status">
          {faultsIn(error).length > 0 ? 'Complete the audience to see its recipients.' : error.message}
        </p>
      ) : (
        ((data && <LeftOut breakdown={data} />) ?? <p role="status">Counting …</p>)
      )}
    </Card>
  );
}

interface Props {
  readonly audience: Audience;
  readonly change: (audience: Audience) => void;
  readonly faults: readonly Fault[];
}

/** Chooses the audience of a campaign. */
export function AudienceFields({ audience, change, faults }: Props): ReactNode {
  return (
    <>
      <ChoiceField
        label="Audience"
        value={audience.audience}
        change={(chosen) => change({ ...audience, audience: chosen as Audience['audience'] })}
        options={[
          ['all', 'All subscribed contacts'],
          ['segment', 'Segment'],
          ['filter', 'Contacts that match conditions'],
        ]}
      />
      {audience.audience === 'segment' && (
        <SegmentName label="Segment" value={audience.segmentId} change={(segmentId) => change({ ...audience, segmentId })} />
      )}
      {audience.audience === 'filter' && (
        <ConditionEditor at="filter" tree={audience.filter} faults={faults} change={(filter) => change({ ...audience, filter })} />
      )}
      <TopicField value={audience.topicId} change={(topicId) => change({ ...audience, topicId })} />
    </>
  );
}
