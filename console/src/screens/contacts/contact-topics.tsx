import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { useAnswered, useChanged } from '../../parts/changed.ts';
import { When } from '../../parts/dates.tsx';
import { Faults } from '../../parts/form.tsx';
import { Card } from '../../parts/page.tsx';
import { Answer } from '../../parts/states.tsx';
import { say } from '../../parts/toasts/store.ts';
import { useMay } from '../../session/session.ts';
import { sourceWords } from './sources.ts';

type ContactTopic = Schemas['ContactTopic'];

const Origin = ({ topic: { source, since } }: { readonly topic: ContactTopic }): ReactNode =>
  source === null || since === null ? (
    <span className="hint">Default of the topic</span>
  ) : (
    <span className="hint">
      {sourceWords(source)}, <When at={since} />
    </span>
  );

/** Shows the topics of a contact, each with how it came to be so; changed one by one. */
export function ContactTopics({ contactId }: { readonly contactId: string }): ReactNode {
  const mayChange = useMay('change');
  const key = ['topics', 'of', contactId];
  const answered = useAnswered(key);
  const consentChanged = useChanged('consent', contactId);
  const query = useQuery({ queryKey: key, queryFn: () => api.getContactTopics(contactId) });
  const saving = useMutation({
    mutationFn: (topic: { readonly topicId: string; readonly subscribed: boolean }) =>
      api.changeContactTopics(contactId, { topics: [topic] }),
    onSuccess: (topics) => {
      answered(topics);
      say('Topics saved.');
      consentChanged();
    },
  });
  return (
    <Answer query={query} what="topics">
      {({ data }) =>
        data.length === 0 ? null : (
          <Card title="Topics">
            <fieldset className="choices" disabled={!mayChange || saving.isPending}>
              <legend className="unseen">Topics of this contact</legend>
              {data.map((topic) => (
                <label key={topic.topicId}>
                  <input
                    type="checkbox"
                    checked={topic.subscribed}
                    onChange={({ target }) => saving.mutate({ topicId: topic.topicId, subscribed: target.checked })}
                  />
                  <span>{topic.name}</span>
                  <Origin topic={topic} />
                </label>
              ))}
            </fieldset>
            <Faults error={saving.error} />
          </Card>
        )
      }
    </Answer>
  );
}
