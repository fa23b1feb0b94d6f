import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../../parts/api.ts';
import { faultsIn } from '../../parts/conditions/preview.tsx';
import { useSession } from '../../session/session.ts';
import { wireOf } from './graph/model.ts';
import type { GraphNode } from './graph/model.ts';
import { isOnGraph } from './shortcuts.ts';

/** A copied step, as the clipboard has it. */
interface Copied {
  readonly lettermill: 'step';
  readonly projectId: string;
  /** Absent from a text that only resembles a copied step. */
  readonly step?: GraphNode;
}

/** Key of the session storage, which keeps a step for a browser that gives the page no clipboard. */
const KEY = 'lettermill-step';

const PASTING = ['pasted step'];
const NOT_VALID = 'The copied step is not valid.';

function copiedIn(text: string): Copied | null {
  try {
    const value = JSON.parse(text) as Partial<Copied> | null;
    return value?.lettermill === 'step' ? (value as Copied) : null;
  } catch {
    return null;
  }
}

/** Resolves to a copied step if it may be in a graph of the project; rejects if not. */
async function checked({ projectId, step }: Copied, ownProjectId: string): Promise<GraphNode> {
  if (projectId !== ownProjectId) throw new Error('The step is from another project.');
  if (!step) throw new Error(NOT_VALID);
  if (step.type === 'trigger') throw new Error('An automation has only one trigger.');
  await api.checkWorkflow({ graph: wireOf({ nodes: [step], edges: [] }) }).catch((error: unknown) => {
    throw faultsIn(error as Error).length > 0 ? new Error(NOT_VALID) : error;
  });
  return step;
}

interface Copying {
  /** The selected node. */
  readonly node: GraphNode | null;
  readonly paste: (node: GraphNode) => void;
}

/** Copies the selected step to the clipboard, and pastes one, also from another automation of the project. Returns why one was not pasted. */
export function useCopiedStep({ node, paste }: Copying): Error | null {
  const { project } = useSession();
  const queries = useQueryClient();
  const { mutate, error } = useMutation({
    mutationKey: PASTING,
    mutationFn: (copied: Copied) => checked(copied, project.id),
    onSuccess: paste,
  });
  useEffect(() => {
    const copy = (event: ClipboardEvent): void => {
      if (!isOnGraph(event.target) || !node || node.type === 'trigger' || getSelection()?.isCollapsed === false) return;
      const text = JSON.stringify({ lettermill: 'step', projectId: project.id, step: node } satisfies Copied);
      event.preventDefault();
      event.clipboardData?.setData('text/plain', text);
      sessionStorage.setItem(KEY, text);
    };
    const insert = (event: ClipboardEvent): void => {
      if (!isOnGraph(event.target)) return;
      const { clipboardData } = event;
      const hasClipboard = clipboardData !== null && clipboardData.types.length > 0;
      const copied = copiedIn(hasClipboard ? clipboardData.getData('text/plain') : (sessionStorage.getItem(KEY) ?? ''));
      if (!copied) return;
      event.preventDefault();
      if (queries.isMutating({ mutationKey: PASTING }) === 0) mutate(copied);
    };
    // A key that is held pastes once.
    const hold = (event: KeyboardEvent): void => {
      const isPaste = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'v';
      if (event.repeat && isPaste && isOnGraph(event.target)) event.preventDefault();
    };
    document.addEventListener('copy', copy);
    document.addEventListener('paste', insert);
    document.addEventListener('keydown', hold);
    return () => {
      document.removeEventListener('copy', copy);
      document.removeEventListener('paste', insert);
      document.removeEventListener('keydown', hold);
    };
  }, [node, project.id, mutate, queries]);
  return error;
}
