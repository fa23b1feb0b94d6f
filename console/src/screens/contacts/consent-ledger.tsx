import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { When } from '../../parts/dates.tsx';
import { Entries } from '../../parts/entries.tsx';
import { count } from '../../parts/numbers.ts';
import { Card, Facts } from '../../parts/page.tsx';
import { Answer } from '../../parts/states.tsx';
import { useTopics } from '../../parts/topics.ts';
import { sourceWords } from './sources.ts';

type ConsentEntry = Schemas['ConsentEntry'];

const KINDS: Readonly<Record<NonNullable<ConsentEntry['kind']>, string>> = {
  requested: 'Requested',
  confirmed: 'Confirmed',
  changed: 'Subscribed',
  withdrawn: 'Unsubscribed',
};

/** Shows the text that the person was shown, and from where they answered; nothing where neither is known. */
function Evidence({ entry: { text, formId, emailId, ip, userAgent } }: { readonly entry: ConsentEntry }): ReactNode {
  if ([text, formId, emailId, ip, userAgent].every((value) => value === null)) return null;
  return (
    <details>
      <summary>Evidence</summary>
      <Facts
        facts={[
          [
            'Text shown',
            text !== null && (
              <span key="text" className="lines">
                {text}
              </span>
            ),
          ],
          [
            'Form',
            formId !== null && (
              <Link key="form" to={`/forms/${formId}`}>
                View form
              </Link>
            ),
          ],
          [
            'Message',
            emailId !== null && (
              <Link key="message" to={`/mail/${emailId}`}>
                View message
              </Link>
            ),
          ],
          ['IP address', ip],
          ['Browser', userAgent],
        ]}
      />
    </details>
  );
}

interface EntryProps {
  readonly entry: ConsentEntry;
  readonly topics: readonly Schemas['Topic'][];
}

function Entry({ entry, topics }: EntryProps): ReactNode {
  const { kind, topicId, source, at } = entry;
  const about = topicId === null ? 'All marketing mail' : (topics.find((topic) => topic.topicId === topicId)?.name ?? topicId);
  return (
    <>
      <strong>{kind === null ? 'Erased' : KINDS[kind]}</strong> <When at={at} />
      {kind !== null && (
        <p className="hint">
          {about}
          {source !== null && ` · ${sourceWords(source)}`}
        </p>
      )}
      <Evidence entry={entry} />
    </>
  );
}

function Verification({ contactId }: { readonly contactId: string }): ReactNode {
  const query = useQuery({ queryKey: ['consent', contactId, 'verification'], queryFn: () => api.verifyContactConsent(contactId) });
  return (
    <Answer query={query} what="the verification">
      {({ entries, brokenAt }) => {
        if (brokenAt === 'head') return <p className="notice bad">Chain broken: the newest entries are missing from the database.</p>;
        if (brokenAt !== null) return <p className="notice bad">Chain broken: entry {brokenAt} was changed in the database.</p>;
        return entries > 0 && <p className="hint">Chain verified. Entries: {count(entries)}.</p>;
      }}
    </Answer>
  );
}

/** Shows what a person agreed to and took back, newest first, and whether the record is as it was written. */
export function ConsentLedger({ contactId }: { readonly contactId: string }): ReactNode {
  const topics = useTopics();
  return (
    <Card title="Consent">
      <Entries
        what="the consent ledger"
        queryKey={['consent', contactId, 'entries']}
        rows={() => api.listContactConsent(contactId)}
        idOf={({ entryId }) => entryId}
        show={(entry) => <Entry entry={entry} topics={topics} />}
        none="No consent recorded yet."
      />
      <Verification contactId={contactId} />
    </Card>
  );
}
