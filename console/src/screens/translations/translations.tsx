import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode, SubmitEvent } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { TextField } from '../../parts/fields.tsx';
import { Faults } from '../../parts/form.tsx';
import { AddLanguage } from '../../parts/languages/add-language.tsx';
import { languageName } from '../../parts/languages/names.ts';
import { Card, Page } from '../../parts/page.tsx';
import { Answer, Empty } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { EDITED, Unsaved, differs } from '../../parts/unsaved.tsx';
import { say } from '../../parts/toasts/store.ts';
import { useMay } from '../../session/session.ts';

type Stored = Schemas['Translations'];
type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>;

const EDITED_KEY = ['translations', 'edited'] as const;
const DEFAULT = 'default';
/** More rows than this are found by a search. */
const MOST_ROWS = 100;
const KEY = /^[A-Za-z][\w.-]{0,99}$/;

const languagesOf = (texts: Texts): readonly string[] =>
  [...new Set(Object.values(texts).flatMap(Object.keys))].filter((language) => language !== DEFAULT).toSorted();

/** Returns the texts without empty ones; the default stays, for the API to ask for it. */
const written = (texts: Texts): Texts =>
  Object.fromEntries(
    Object.entries(texts).map(([key, own]) => [
      key,
      Object.fromEntries(Object.entries(own).filter(([language, text]) => language === DEFAULT || text !== '')),
    ]),
  );

interface RowProps {
  readonly name: string;
  readonly texts: Readonly<Record<string, string>>;
  readonly languages: readonly string[];
  readonly mayChange: boolean;
  readonly change: (language: string, text: string) => void;
  readonly remove: () => void;
}

const Row = ({ name, texts, languages, mayChange, change, remove }: RowProps): ReactNode => (
  <tr>
    <th scope="row">
      <code>{name}</code>
    </th>
    {[DEFAULT, ...languages].map((language) => (
      <td key={language}>
        {mayChange ? (
          <input
            type="text"
            aria-label={`${name}, ${language === DEFAULT ? 'default' : languageName(language)}`}
            lang={language === DEFAULT ? undefined : language}
            dir="auto"
            maxLength={2_000}
            required={language === DEFAULT}
            value={texts[language] ?? ''}
            onChange={({ target }) => change(language, target.value)}
          />
        ) : (
          texts[language]
        )}
      </td>
    ))}
    {mayChange && (
      <td>
        <button type="button" aria-label={`Remove ${name}`} onClick={remove}>
          Remove
        </button>
      </td>
    )}
  </tr>
);

function AddKey({ known, add }: { readonly known: readonly string[]; readonly add: (key: string) => void }): ReactNode {
  const [key, setKey] = useState('');
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    add(key.trim());
    setKey('');
  };
  return (
    <form onSubmit={submit}>
      <TextField label="Add a key" hint='Use it in a message as {{t "greeting"}}' value={key} change={setKey} autoComplete="off" />
      <p>
        <button type="submit" disabled={!KEY.test(key.trim()) || known.includes(key.trim())}>
          Add key
        </button>
      </p>
    </form>
  );
}

/** Shows the table: a row for each key, a column for each language. */
function Editor({ stored, saved }: { readonly stored: Stored; readonly saved: (stored: Stored) => void }): ReactNode {
  const mayChange = useMay('change');
  const [texts, setTexts] = useState<Texts>(stored.translations);
  const [added, setAdded] = useState<readonly string[]>([]);
  const [search, setSearch] = useState('');
  const saving = useMutation({
    mutationFn: () =>
      api.replaceTranslations({
        translations: written(texts) as Schemas['ReplaceTranslationsRequest']['translations'],
        version: stored.version,
      }),
    onSuccess: (now) => {
      saved(now);
      say('Translations saved.');
    },
  });
  const languages = [...new Set([...languagesOf(texts), ...added])].toSorted();
  const wanted = search.trim().toLowerCase();
  const found = Object.entries(texts).filter(
    ([key, own]) => key.toLowerCase().includes(wanted) || Object.values(own).some((text) => text.toLowerCase().includes(wanted)),
  );
  const columns = [
    'Key',
    'Default',
    ...languages.map((language) => `${languageName(language)} (${language})`),
    ...(mayChange ? ['Actions'] : []),
  ];
  return (
    <>
      <Unsaved is={differs(written(texts), stored.translations)} />
      <Card title="Texts">
        <p className="hint">
          Contacts get the text in their language, or the default. A message keeps the texts it had when it was accepted, a campaign those
          it had when it was launched.
        </p>
        {Object.keys(texts).length === 0 ? (
          <Empty title="No translations yet">
            <p>Add a key below, then use its text in any message with {'{{t "key"}}'}.</p>
          </Empty>
        ) : (
          <>
            <TextField label="Find" type="search" value={search} change={setSearch} />
            <Table label="Translations" columns={columns}>
              {found.slice(0, MOST_ROWS).map(([key, own]) => (
                <Row
                  key={key}
                  {...{ name: key, texts: own, languages, mayChange }}
                  change={(language, text) => setTexts({ ...texts, [key]: { ...own, [language]: text } })}
                  remove={() => setTexts(Object.fromEntries(Object.entries(texts).filter(([other]) => other !== key)))}
                />
              ))}
            </Table>
            {found.length > MOST_ROWS && <p className="hint">{`The first ${MOST_ROWS} of ${found.length}. Find others by key or text.`}</p>}
          </>
        )}
        <Faults error={saving.error} />
        {mayChange && (
          <div className="actions">
            <button type="button" className="primary" disabled={saving.isPending} onClick={() => saving.mutate()}>
              Save translations
            </button>
          </div>
        )}
      </Card>
      {mayChange && (
        <Card title="More">
          <AddKey known={Object.keys(texts)} add={(key) => setTexts({ ...texts, [key]: { [DEFAULT]: '' } })} />
          <AddLanguage known={languages} add={(language) => setAdded([...added, language])} />
        </Card>
      )}
    </>
  );
}

/** Edits the project's own short texts, by language. */
export function Translations(): ReactNode {
  const queries = useQueryClient();
  const query = useQuery({ queryKey: EDITED_KEY, queryFn: () => api.getTranslations(), ...EDITED });
  const saved = (stored: Stored): void => {
    queries.setQueryData(EDITED_KEY, stored);
    void queries.invalidateQueries({ queryKey: ['translations'], exact: true });
  };
  return (
    <Page title="Translations">
      <Answer query={query} what="translations">
        {(stored) => <Editor key={stored.version} stored={stored} saved={saved} />}
      </Answer>
    </Page>
  );
}
