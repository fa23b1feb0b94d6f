import { proxyActivities } from '@temporalio/workflow';
import type { ActivityInterfaceFor, ActivityOptions } from '@temporalio/workflow';
import type { Activities } from '../activities';

/** Summaries of the activities, as people read them in a history. */
export const SUMMARIES: Readonly<Record<keyof Activities, string>> = {
  beginCampaign: 'begins the campaign, unless it was cancelled',
  cancelScheduledMinute: 'cancels what waits',
  callWebhookNode: 'calls the webhook of the node',
  checkDomain: "looks up the domain's records",
  decideCampaign: 'decides which subject wins',
  endExecution: 'notes that the execution is over',
  eraseTurn: 'erases a part of what is held',
  failContactImport: 'notes that the import failed',
  finishCampaign: 'counts, and says whether anything is pending',
  foldSegmentCounts: 'adds up the numbers of members',
  followCheckout: 'asks the payment provider about the checkout',
  freezeCampaign: 'writes the audience down',
  gatherNonOpeners: 'gathers who has not opened',
  importContactRows: 'takes a slice of the file in',
  lookAtWebhookRetries: 'looks which deliveries wait for another attempt',
  nextCampaignRange: 'finds the end of the next page',
  nudgeExecutions: 'wakes a page of executions',
  planContactImport: 'reads the file through',
  pumpDelivery: 'sends what is due, until nothing is',
  pumpFanOut: 'hands events on, until none waits',
  pumpWebhooks: 'delivers webhooks that are due, until none is',
  reconcileSubscription: 'asks the payment provider about the subscription',
  recountContactFields: 'counts the fields of contacts anew',
  releaseScheduled: 'releases what is due',
  removeCampaign: 'removes what belongs to the campaign',
  removeProjectTurn: 'removes a part of what the project has',
  removeDeliveries: 'removes the deliveries of the endpoint',
  retentionTurn: 'removes what is older than it is kept',
  runExecution: 'runs the execution as far as its next wait',
  sendCampaignPage: 'sends a page of the audience',
  sweepContacts: 'finishes deletions of contacts',
  sweepDelivery: 'wakes pumps of mail that is late, and lists mail that is deferred',
  sweepDomains: 'starts forgotten checks of domains',
  sweepEventCounts: 'adds up the counts of events',
  sweepExecutions: 'starts forgotten executions',
  sweepFanOut: 'wakes pumps of events that are late',
  sweepOutbox: 'gives Temporal what it was not given',
  sweepReputation: 'judges troubled reputations anew',
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
