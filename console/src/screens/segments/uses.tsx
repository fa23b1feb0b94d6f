import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import { Card } from '../../parts/page.tsx';
import { Answer } from '../../parts/states.tsx';

/** Number of objects of each kind that are searched, newest first. */
const MOST = 200;

interface Use {
  readonly to: string;
  readonly name: string;
  readonly kind: string;
}

/** Resolves to the objects that use a segment: ids are unique, so an object that contains one refers to it. */
async function usesOf(id: string): Promise<readonly Use[]> {
  const [campaigns, automations, segments] = await Promise.all([
    api.listCampaigns({ limit: 100 }).toArray(MOST),
    api.listWorkflows({ limit: 100 }).toArray(MOST),
    api.listSegments({ limit: 100 }).toArray(MOST),
  ]);
  const names = (...places: readonly unknown[]): boolean => JSON.stringify(places).includes(id);
  return [
    ...campaigns
      .filter(({ segmentId, filter }) => names(segmentId, filter))
      .map(({ campaignId, name }) => ({ to: `/campaigns/${campaignId}`, name, kind: 'campaign' })),
    ...automations
      .filter(({ trigger, graph }) => names(trigger, graph))
      .map(({ workflowId, name }) => ({ to: `/automations/${workflowId}`, name, kind: 'automation' })),
    ...segments
      .filter(({ conditions }) => names(conditions))
      .map(({ segmentId, name }) => ({ to: `/segments/${segmentId}`, name, kind: 'segment' })),
  ];
}

/** Shows where a segment is used: until then it cannot be deleted. */
export function Uses({ id }: { readonly id: string }): ReactNode {
  const query = useQuery({ queryKey: ['segments', id, 'uses'], queryFn: () => usesOf(id) });
  return (
    <Card title="Used by">
      <Answer query={query} what="uses">
        {(uses) =>
          uses.length === 0 ? (
            <p className="hint">None of the newest {MOST} campaigns, automations and segments use it.</p>
          ) : (
            <ul>
              {uses.map(({ to, name, kind }) => (
                <li key={to}>
                  <Link to={to}>{name}</Link> <span className="hint">{kind}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
    </Card>
  );
}
