import type { WorkflowHandle } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import type { temporal } from '@temporalio/proto';

type Event = temporal.api.history.v1.IHistoryEvent;

const kindOf = (event: Event): string | null => {
  if (event.timerStartedEventAttributes) return 'timer';
  if (event.markerRecordedEventAttributes) return 'step';
  return event.activityTaskScheduledEventAttributes ? 'activity' : null;
};

/** Resolves to the texts next to the events of a history: summaries of timers, activities and steps within a task, in order. */
export async function summariesOf(handle: Pick<WorkflowHandle, 'fetchHistory'>): Promise<readonly string[]> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).flatMap((event) => {
    const [kind, summary] = [kindOf(event), event.userMetadata?.summary];
    return kind && summary ? [`${kind} ${String(defaultPayloadConverter.fromPayload(summary))}`] : [];
  });
}

interface Metadata {
  readonly currentDetails?: string;
}

/** Resolves to the details of a workflow as the web UI shows them. */
export const detailsOf = async (handle: Pick<WorkflowHandle, 'query'>): Promise<string> =>
  (await handle.query<Metadata>('__temporal_workflow_metadata')).currentDetails ?? '';
