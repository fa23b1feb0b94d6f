import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { api } from '../../../parts/api.ts';
import type { Schemas } from '../../../parts/api.ts';
import { faultsIn } from '../../../parts/conditions/preview.tsx';
import { Card, Page } from '../../../parts/page.tsx';
import { useSettled } from '../../../parts/settled.ts';
import { Answer } from '../../../parts/states.tsx';
import { Switch } from '../actions.tsx';
import { graphOf } from '../graph/model.ts';
import { Result } from './result.tsx';
import { requestOf } from './script.ts';
import type { Script } from './script.ts';
import { ScriptForm } from './script-form.tsx';

const NOTHING: Script = { contactId: null, data: undefined, events: [] };

function Refused({ error, id }: { readonly error: Error; readonly id: string }): ReactNode {
  const faults = faultsIn(error);
  return (
    <Card title="Rehearsal not possible">
      <ul className="fault">
        {faults.length === 0 ? <li>{error.message}</li> : faults.map(({ path, message }) => <li key={path + message}>{message}</li>)}
      </ul>
      <Link to={`/automations/${id}/edit`}>Edit automation</Link>
    </Card>
  );
}

function Stage({ automation: { workflowId, trigger, graph: stored } }: { readonly automation: Schemas['Workflow'] }): ReactNode {
  const [start] = useState(() => new Date().toISOString());
  const [script, setScript] = useState(NOTHING);
  const settled = useSettled(script);
  const graph = useMemo(() => graphOf(stored), [stored]);
  const query = useQuery({
    queryKey: ['automations', workflowId, 'rehearsal', start, settled],
    queryFn: () => api.rehearseWorkflow(workflowId, requestOf(settled, start)),
    placeholderData: keepPreviousData,
  });
  return (
    <div className="columns wide-last">
      <ScriptForm trigger={trigger} script={script} change={setScript} />
      <div>
        {query.error ? (
          <Refused error={query.error} id={workflowId} />
        ) : (
          <Answer query={query} what="the rehearsal">
            {(rehearsal) => <Result graph={graph} start={start} rehearsal={rehearsal} />}
          </Answer>
        )}
      </div>
    </div>
  );
}

/** Plays an automation through for one contact and a year, as it would go; nothing is sent. */
export function RehearsalPage(): ReactNode {
  const { id = '' } = useParams();
  const query = useQuery({ queryKey: ['automations', id], queryFn: () => api.getWorkflow(id) });
  return (
    <Answer query={query} what="the automation">
      {(automation) => (
        <Page
          title={`Rehearse ${automation.name}`}
          under={{ label: automation.name, to: `/automations/${id}` }}
          actions={<Switch automation={automation} />}
        >
          <Stage automation={automation} />
        </Page>
      )}
    </Answer>
  );
}
