import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Card } from '../../parts/page.tsx';
import { spanWords } from '../../parts/span.tsx';
import { useTopics } from '../../parts/topics.ts';
import { useMay } from '../../session/session.ts';
import { CapForm } from './cap-form.tsx';
import { SOURCES } from './cap.ts';

type Settings = Schemas['Settings'];
type Cap = Schemas['StoredFrequencyCap'];

interface Props {
  readonly caps: readonly Cap[];
  readonly changed: (settings: Settings) => void;
}

const reachedOf = ({ whenReached, waitUpTo }: Cap): string =>
  whenReached === 'skip' ? 'further ones are skipped' : `further ones wait up to ${spanWords(waitUpTo ?? { amount: 7, unit: 'days' })}`;

/** Shows a cap in words: how many in which time, what happens then, and which mail it holds for. */
function Words({ cap }: { readonly cap: Cap }): ReactNode {
  const names = new Map(useTopics().map(({ topicId, name }) => [topicId, name]));
  const { name, max, per, appliesTo = {} } = cap;
  const sources = SOURCES.filter(([source]) => appliesTo.sources?.includes(source)).map(([, label]) => label);
  const topics = appliesTo.topics?.map((id) => names.get(id) ?? id) ?? [];
  return (
    <>
      <strong>{name}</strong>: at most {max} in {spanWords(per)}; {reachedOf(cap)}
      {sources.length > 0 && <>. Only {sources.join(', ')}</>}
      {topics.length > 0 && <>. Only topics {topics.join(', ')}</>}
    </>
  );
}

/** Shows and changes the most marketing messages that a person gets. */
export function CapsCard({ caps, changed }: Props): ReactNode {
  const mayChange = useMay('manage');
  // All caps are saved together: those of now, not those that the page was opened with.
  const save = async (change: (kept: readonly Cap[]) => readonly Cap[]): Promise<void> => {
    const { frequencyCaps } = await api.getSettings();
    changed(await api.updateSettings({ frequencyCaps: change(frequencyCaps) as Schemas['FrequencyCap'][] }));
  };
  return (
    <Card title="Frequency caps">
      <p className="hint">The maximum number of marketing messages for each person. A cap does not count earlier messages.</p>
      {caps.length === 0 && <p>No frequency caps.</p>}
      <ul className="caps">
        {caps.map((cap) => (
          <li key={cap.name}>
            <Words cap={cap} />
            {mayChange && (
              <div className="actions">
                <CapForm
                  label={`Edit cap ${cap.name}`}
                  cap={cap}
                  save={(edited) => save((kept) => kept.map((other) => (other.name === cap.name ? edited : other)))}
                />
                <Confirm
                  label={`Remove cap ${cap.name}`}
                  title={`Remove the cap ${cap.name}?`}
                  danger
                  act={() => save((kept) => kept.filter((other) => other.name !== cap.name))}
                  said={`Cap ${cap.name} removed.`}
                >
                  It no longer applies to new messages. Queued messages keep it.
                </Confirm>
              </div>
            )}
          </li>
        ))}
      </ul>
      {mayChange && <CapForm label="Add cap" cap={null} save={(added) => save((kept) => [...kept, added])} />}
    </Card>
  );
}
