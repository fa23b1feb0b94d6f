import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Schemas } from '../../parts/api.ts';
import { ChoiceField, TextField } from '../../parts/fields.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { SpanFields } from '../../parts/span.tsx';
import { useTopics } from '../../parts/topics.ts';
import { NEW_CAP, SOURCES, capBody, writtenCap } from './cap.ts';
import type { WrittenCap } from './cap.ts';

type Cap = Schemas['StoredFrequencyCap'];

interface SomeProps {
  readonly legend: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly chosen: readonly string[];
  readonly change: (chosen: readonly string[]) => void;
}

/** Shows a choice of some of several, or none for all of them. */
const Some = ({ legend, options, chosen, change }: SomeProps): ReactNode => (
  <fieldset className="choices">
    <legend>{legend}</legend>
    {options.map(([value, label]) => (
      <label key={value}>
        <input
          type="checkbox"
          checked={chosen.includes(value)}
          onChange={({ target }) => change(target.checked ? [...chosen, value] : chosen.filter((other) => other !== value))}
        />
        {label}
      </label>
    ))}
  </fieldset>
);

interface FieldsProps {
  readonly written: WrittenCap;
  readonly change: (written: WrittenCap) => void;
}

const Limit = ({ written, change }: FieldsProps): ReactNode => (
  <>
    <TextField
      label="Name"
      required
      maxLength={64}
      pattern="[A-Za-z0-9_\-]+"
      hint="Letters, digits, _ and -"
      value={written.name}
      change={(name) => change({ ...written, name })}
    />
    <TextField
      label="Messages"
      type="number"
      min={1}
      max={100}
      step={1}
      required
      value={written.max}
      change={(max) => change({ ...written, max })}
    />
    <SpanFields label="In any" unitLabel="Unit" isWhole span={written.per} change={(per) => change({ ...written, per })} />
    <ChoiceField
      label="Further messages"
      value={written.whenReached}
      change={(chosen) => change({ ...written, whenReached: chosen as Cap['whenReached'] })}
      options={[
        ['wait', 'Wait until the cap has room'],
        ['skip', 'Are skipped'],
      ]}
    />
    {written.whenReached === 'wait' && (
      <SpanFields
        label="Longest wait"
        unitLabel="Unit of the longest wait"
        isWhole
        span={written.waitUpTo}
        change={(waitUpTo) => change({ ...written, waitUpTo })}
      />
    )}
  </>
);

function AppliesTo({ written, change }: FieldsProps): ReactNode {
  const topics = useTopics().map(({ topicId, name }) => [topicId, name] as const);
  return (
    <>
      <Some
        legend="Only for (none: all marketing mail)"
        options={SOURCES}
        chosen={written.sources}
        change={(sources) => change({ ...written, sources })}
      />
      {topics.length > 0 && (
        <Some
          legend="Only for the topics (none: any topic)"
          options={topics}
          chosen={written.topics}
          change={(chosen) => change({ ...written, topics: chosen })}
        />
      )}
    </>
  );
}

interface Props {
  readonly label: string;
  /** Null to add one. */
  readonly cap: Cap | null;
  readonly save: (cap: Cap) => Promise<void>;
}

/** Adds a frequency cap, or changes one. */
export function CapForm({ label, cap, save }: Props): ReactNode {
  const kept = cap ? writtenCap(cap) : NEW_CAP;
  const [written, setWritten] = useState(kept);
  return (
    <FormDialog
      label={label}
      title={cap ? `Edit the cap ${cap.name}` : 'Add a frequency cap'}
      save="Save cap"
      begin={() => setWritten(kept)}
      send={() => save(capBody(written))}
      said="Cap saved."
    >
      <Limit written={written} change={setWritten} />
      <AppliesTo written={written} change={setWritten} />
    </FormDialog>
  );
}
