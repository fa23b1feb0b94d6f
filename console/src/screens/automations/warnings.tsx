import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import { Card } from '../../parts/page.tsx';
import { faultsByNode } from './graph/faults.ts';
import { wireOf } from './graph/model.ts';
import type { Graph } from './graph/model.ts';
import { useTitles } from './graph/titles.ts';

/** Shows what is wrong with the graph of an automation and does not stop it. Shows nothing if all is well. */
export function Warnings({ workflowId, graph }: { readonly workflowId: string; readonly graph: Graph }): ReactNode {
  const { labelOf } = useTitles();
  const { data } = useQuery({
    queryKey: ['automations', workflowId, 'warnings', graph],
    queryFn: async () => (await api.checkWorkflow({ graph: wireOf(graph) })).warnings,
  });
  if (!data || data.length === 0) return null;
  return (
    <Card title="Warnings">
      <ul className="notice">
        {[...faultsByNode(graph, data)].flatMap(([id, own]) => {
          const node = graph.nodes.find((other) => other.id === id);
          return own.map(({ message }) => <li key={`${id} ${message}`}>{node ? `${labelOf(node)}: ${message}` : message}</li>);
        })}
      </ul>
    </Card>
  );
}
