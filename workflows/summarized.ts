import { proxyActivities } from '@temporalio/workflow';
import type { ActivityInterfaceFor, ActivityOptions } from '@temporalio/workflow';
import type { Activities } from '../activities';

/** Summaries of the activities, as people read them in a history. */
export const SUMMARIES: Readonly<Record<keyof Activities, string>> = {
  approvalTurn: 'carries out what was approved, or ends it when its time is over',
  beginCampaign: 'begins the campaign, unless it was cancelled',
  cancelScheduledMinute: 'cancels the waiting messages',
  callWebhookNode: 'calls the webhook of the node',
  checkDomain: "looks up the domain's records",
  checkProviders: 'checks whether providers that refuse the mail would take it',
  checkRollout: 'checks what came of the messages of the step',
  decideCampaign: 'decides which subject wins',
  endCampaignPause: 'ends the pause whose time is over',
  endExecution: 'notes that the execution is over',
  endSnooze: 'ends the pause, if its time has come',
  eraseTurn: 'erases a part of what is held',
  failContactImport: 'notes that the import failed',
  finishCampaign: 'counts the messages, and whether any are pending',
  foldSegmentCounts: 'adds up the numbers of members',
  followCheckout: 'asks the payment provider about the checkout',
  freezeCampaign: 'freezes the audience',
  gatherNonOpeners: 'collects the contacts that did not open',
  importContactRows: 'imports a slice of the file',
  lookAtWebhookRetries: 'checks which deliveries wait for a retry',
  nextCampaignRange: 'finds the end of the next page',
  nextCampaignTurn: 'finds the next recipients whose time comes',
  nudgeExecutions: 'wakes a page of executions',
  optInTurn: 'sends the confirmation when it is due, and removes what was not confirmed',
  planContactImport: 'reads the file through',
  pumpDelivery: 'sends what is due, until nothing is',
  pumpFanOut: 'hands events on, until none waits',
  pumpWebhooks: 'delivers webhooks that are due, until none is',
  rampTurn: 'moves the ramp of the transport on to the day',
  reconcileSubscription: 'asks the payment provider about the subscription',
  recountContactFields: 'recounts the fields of contacts',
  releaseScheduled: 'releases due messages',
  removeCampaign: 'removes the data of the campaign',
  removeProjectTurn: 'removes a part of the data of the project',
  removeDeliveries: 'removes the deliveries of the endpoint',
  retentionTurn: 'removes data past its retention',
  runExecution: 'runs the execution up to its next wait',
  sendCampaignPage: 'sends a page of the audience',
  seriesTurn: 'begins the turn that is due',
  sweepContacts: 'finishes deletions of contacts',
  sweepDelivery: 'wakes pumps of mail that is late, and lists mail that is deferred',
  sweepDomains: 'starts forgotten checks of domains',
  sweepEventCounts: 'adds up the counts of events',
  sweepExecutionShare: 'starts a share of many forgotten executions',
  sweepExecutions: 'starts forgotten executions',
  sweepFanOut: 'wakes pumps of events that are late',
  sweepOutbox: 'starts workflows that were not started',
  sweepReputation: 'computes bad reputations again',
  sweepSegments: 'lets contacts enter and leave segments by time',
  sweepSubscriptions: 'starts forgotten questions to the payment provider',
  sweepWebhooks: 'wakes pumps of webhooks that are late',
};

/** Does as `proxyActivities`, with the activity's own summary where a call gives none. */
export function summarizedActivities(options: ActivityOptions): ActivityInterfaceFor<Activities> {
  const plain = proxyActivities<Activities>(options);
  const entries = (Object.keys(SUMMARIES) as (keyof Activities)[]).map((name) => {
    const activity = plain[name];
    const call = (...args: unknown[]): unknown => activity.executeWithOptions({ summary: SUMMARIES[name] }, args as never);
    const executeWithOptions = (given: ActivityOptions, args: unknown[]): unknown => activity.executeWithOptions(given, args as never);
    return [name, Object.assign(call, { executeWithOptions })] as const;
  });
  return Object.fromEntries(entries) as unknown as ActivityInterfaceFor<Activities>;
}
