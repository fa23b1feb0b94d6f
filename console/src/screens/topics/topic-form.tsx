import { useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { useChanged } from '../../parts/changed.ts';
import { AreaField, ChoiceField, TextField } from '../../parts/fields.tsx';
import { FormDialog } from '../../parts/form.tsx';

type Topic = Schemas['Topic'];

interface Written {
  readonly key: string;
  readonly name: string;
  /** A line for each language: `de: Neues`. */
  readonly names: string;
  readonly description: string;
  readonly defaultSubscription: Topic['defaultSubscription'];
  readonly visibility: Topic['visibility'];
  readonly order: string;
}

const BLANK: Written = { key: '', name: '', names: '', description: '', defaultSubscription: 'in', visibility: 'public', order: '0' };

const writtenOf = ({ key, name, names, description, defaultSubscription, visibility, order }: Topic): Written => ({
  key,
  name,
  defaultSubscription,
  visibility,
  names: Object.entries(names)
    .map(([language, text]) => `${language}: ${text}`)
    .join('\n'),
  description: description ?? '',
  order: String(order),
});

/** Reads the names by language. Throws for a line that has no language. */
function namesIn(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':');
      if (at < 1) throw new Error(`“${line}” has no language. Write a line like “de: Neuigkeiten”.`);
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}

const changeable = ({ name, names, description, visibility, order }: Written) => ({
  name,
  visibility,
  names: namesIn(names),
  description: description === '' ? null : description,
  order: Number(order),
});

const DEFAULTS = [
  ['in', 'Subscribed: contacts can leave it'],
  ['out', 'Not subscribed: contacts can choose it'],
] as const;
const VISIBILITIES = [
  ['public', 'Public: everyone sees it on the preference page'],
  ['private', 'Private: only contacts in it see it'],
] as const;

/** Creates a topic, or changes one: its key and its default stay as they are. */
export function TopicForm({ topic }: { readonly topic: Topic | null }): ReactNode {
  const changed = useChanged('topics');
  const [written, setWritten] = useState(BLANK);
  const put =
    (member: keyof Written) =>
    (value: string): void =>
      setWritten((before) => ({ ...before, [member]: value }));
  const send = (): Promise<Topic> => {
    if (topic) return api.updateTopic(topic.topicId, changeable(written));
    const { key, defaultSubscription } = written;
    return api.createTopic({ ...changeable(written), key, defaultSubscription });
  };
  return (
    <FormDialog
      label={topic ? 'Edit' : 'New topic'}
      title={topic ? `Edit ${topic.name}` : 'New topic'}
      primary={topic === null}
      save={topic ? 'Save topic' : 'Create topic'}
      begin={() => setWritten(topic ? writtenOf(topic) : BLANK)}
      send={send}
      done={changed}
      said={topic ? 'Topic saved.' : 'Topic created.'}
    >
      <TextField
        label="Name"
        hint="Contacts see it on the preference page."
        value={written.name}
        change={put('name')}
        maxLength={200}
        required
      />
      {topic === null && (
        <>
          <TextField
            label="Key"
            hint="For conditions and CSV columns, like topic.news. You cannot change it later."
            value={written.key}
            change={put('key')}
            maxLength={64}
            required
          />
          <ChoiceField label="Default (fixed)" value={written.defaultSubscription} change={put('defaultSubscription')} options={DEFAULTS} />
        </>
      )}
      <ChoiceField label="Visibility" value={written.visibility} change={put('visibility')} options={VISIBILITIES} />
      <AreaField
        label="Description"
        hint="What the mail is about, and how often it comes."
        value={written.description}
        change={put('description')}
        rows={2}
      />
      <AreaField
        label="Names in other languages"
        hint="A line each, like “de: Neuigkeiten”."
        value={written.names}
        change={put('names')}
        rows={3}
      />
      <TextField label="Position" type="number" step={1} hint="Lowest first" value={written.order} change={put('order')} required />
    </FormDialog>
  );
}
