import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { Badge } from '../../../parts/badge.tsx';
import { When } from '../../../parts/dates.tsx';
import { ChoiceField } from '../../../parts/fields.tsx';
import { MessageFrame } from '../../../parts/message-frame.tsx';
import { Card } from '../../../parts/page.tsx';
import { skippedWords } from '../../../parts/reasons.ts';
import { EXECUTION_TONES } from '../executions.tsx';
import { Canvas } from '../graph/canvas.tsx';
import type { Graph } from '../graph/model.ts';
import { useTitles } from '../graph/titles.ts';
import { StepList } from '../steps.tsx';
import { DAYS, dayAfter, dayOf } from './script.ts';
import type { Rehearsal } from './script.ts';

type Email = Rehearsal['emails'][number];

const WAITS: Readonly<Record<NonNullable<Email['waitsFor']>, string>> = {
  window: 'Waits until its send window opens.',
  frequency_cap: 'Waits until a frequency cap has room.',
};

function Messages({ emails }: { readonly emails: readonly Email[] }): ReactNode {
  const [chosen, choose] = useState(0);
  const email = emails[Math.min(chosen, emails.length - 1)];
  if (!email) return <p className="hint">No messages by this day.</p>;
  return (
    <>
      {emails.length > 1 && (
        <ChoiceField
          label="Message"
          value={String(emails.indexOf(email))}
          options={emails.map(({ subject }, at) => [String(at), `${at + 1}: ${subject}`])}
          change={(at) => choose(Number(at))}
        />
      )}
      <p>
        <strong>{email.subject}</strong> <When at={email.at} />
      </p>
      {email.waitsFor && <p className="hint">{WAITS[email.waitsFor]}</p>}
      {email.skipped !== undefined && <p className="notice">Not sent: {skippedWords(email.skipped, email.detail)}</p>}
      <MessageFrame title="Message preview" html={email.html} />
    </>
  );
}

/** Shows the state at a moment: the end if it has been reached, otherwise the last step. */
function Standing({ graph, rehearsal, moment }: { graph: Graph; rehearsal: Rehearsal; moment: string }): ReactNode {
  const { labelOf } = useTitles();
  const { status, endedAt, exitReason, path } = rehearsal;
  if (status === 'filter_not_matched') return <p className="notice">This contact does not match the trigger conditions.</p>;
  const isOver = status !== 'waiting' && endedAt <= moment;
  const last = path.findLast(({ at }) => at <= moment);
  const node = graph.nodes.find(({ id }) => id === last?.nodeId);
  return (
    <p role="status">
      <Badge of={isOver ? status : 'waiting'} tone={EXECUTION_TONES[isOver ? status : 'waiting']} />{' '}
      {isOver ? (exitReason ?? '') : node && `at ${labelOf(node)}`}
    </p>
  );
}

interface Props {
  readonly graph: Graph;
  readonly start: string;
  readonly rehearsal: Rehearsal;
}

/** Shows the rehearsal up to a day of the year that the slider selects: the path, the messages, and why. */
export function Result({ graph, start, rehearsal }: Props): ReactNode {
  const [day, setDay] = useState(DAYS);
  const [selected, select] = useState<string | null>(null);
  const { path, emails } = rehearsal;
  const moment = dayAfter(start, day);
  const marks = useMemo(() => {
    const passed = path.filter(({ at }) => at <= moment);
    return { path: new Map(passed.map(({ nodeId, branch }) => [nodeId, branch])) };
  }, [path, moment]);
  const steps = path.filter(({ at }) => at <= moment).map(({ at, ...step }) => ({ ...step, startedAt: at }));
  return (
    <>
      <Card title={`After ${day === 1 ? '1 day' : `${day} days`}`}>
        <input
          type="range"
          aria-label="Day of the year"
          aria-valuetext={`After ${day} days`}
          min={0}
          max={DAYS}
          step={1}
          value={day}
          onChange={(event) => setDay(Number(event.target.value))}
        />
        <div className="actions">
          {[...new Set([...path, ...emails].map(({ at }) => dayOf(start, at)))]
            .toSorted((a, b) => a - b)
            .slice(0, 12)
            .map((stop) => (
              <button key={stop} type="button" className="quiet" onClick={() => setDay(stop)}>
                Day {stop}
              </button>
            ))}
        </div>
        <Standing graph={graph} rehearsal={rehearsal} moment={moment} />
      </Card>
      <div className="stack">
        <Canvas label="Expected path, graph" graph={graph} marks={marks} selected={selected} select={select} />
      </div>
      <div className="columns">
        <Card title="Expected path">
          <StepList graph={graph} steps={steps} />
        </Card>
        <Card title="Messages">
          <Messages emails={emails.filter(({ at }) => at <= moment)} />
        </Card>
      </div>
    </>
  );
}
