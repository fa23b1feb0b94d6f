import type { Client } from '@temporalio/client';
import { eventAutomations } from '../audience/activity';
import { fieldReaders, onContactsDetached, onContactsGone, onContactsRemoved } from '../audience/contacts';
import { knownCampaigns, removeFromSegments, segmentOfTopic, segmentUsers, segmentsReading } from '../audience/segments';
import { onTopicsLeft, topicUsers } from '../audience/topics';
import {
  automationSending,
  automationSendingFrom,
  automationWithSegment,
  automationWithTopic,
  automationsReading,
  automationsShowing,
  automationsWithEvent,
  cancelOfContacts,
  detachExecutions,
} from '../marketing/automations';
import { CAMPAIGN_WORK } from '../marketing/campaign-mail';
import {
  FIGURES,
  campaignOfTopic,
  campaignSendingFrom,
  campaignUsing,
  campaignsBehind as behind,
  campaignsReading,
  campaignsShowing,
  skippedMessages,
  stoppedCampaigns as stopped,
  existingCampaigns,
  takeFromPages,
} from '../marketing/campaigns';
import { countConfirmed, formSending, formWithTopic } from '../marketing/forms';
import type { ServerConfig } from '../platform/config';
import type { Core } from '../platform/core';
import type { Logger } from '../platform/log';
import { processCore } from '../platform/temporal';
import { campaignFigures } from '../records/campaign-figures';
import { campaignWork, stoppedCampaigns, withdrawUnwanted } from '../sending/deliver';
import { skippedInCampaigns } from '../records/person-limits';
import { cancelWaitingFrom } from '../sending/accept';
import { cancelWaiting, domainUsers } from '../sending/domains';
import { onFormConfirmed } from '../sending/opt-in';
import { campaignsBehind } from '../sending/restore-fence';
import { fileUsers } from '../sending/files';
import { templateOfTopic, templateUsers, templatesReading, templatesShowing } from '../sending/templates';
import { forgetInDeliveries } from '../sending/webhooks';
import { begin } from '../upkeep/erasure';
import { newId, perCore } from '../platform/core';
import { wakeFanOut } from '../platform/wake-ups';
import { fanOutWakes } from '../records/events';

/** Creates the core of a process, composed. There is no other way to get one, so that none serves before its rooms are wired together. */
export function composedCore(config: ServerConfig, log: Logger, temporal: Client): Core {
  const core = processCore(config, log, temporal);
  compose(core);
  return core;
}

/**
 * Registers which room answers which hook of the rooms below it, and what wakes the fan-out pumps: `core`, or the sweep alone (null) in a process without a
 * connection to Temporal. Every process calls it once before it stores anything; calling it for another core adds what wakes through that one.
 * The kinds (“campaign”, “workflow”) are words of the API and appear in its error messages.
 */
export function compose(core: Pick<Core, 'processes' | 'log'> | null): void {
  if (core) wakeFanOutThrough(core);
  else leaveFanOutToSweep();
  references();
  contacts();
  campaigns();
}

type Waker = Pick<Core, 'processes' | 'log'>;

const named = perCore(() => ({ name: newId('core') }));

/**
 * Registers a core to wake the fan-out pumps, in addition to the other cores of the process: an event does not say which core stored it.
 */
export const wakeFanOutThrough = (core: Waker): void => fanOutWakes.answer(named(core).name, (shard) => wakeFanOut(core, shard));

/** Leaves the waking to the sweep: for a process without a connection to Temporal. */
const leaveFanOutToSweep = (): void => fanOutWakes.answer('sweep', () => undefined);

/** Registers the answers to "who refers to this?". */
function references(): void {
  segmentUsers.answer('campaign', campaignUsing);
  segmentUsers.answer('workflow', automationWithSegment);
  domainUsers.answer('campaign', campaignSendingFrom);
  domainUsers.answer('workflow', automationSendingFrom);
  cancelWaiting.answer('accept', cancelWaitingFrom);
  templateUsers.answer('workflow', automationSending);
  templateUsers.answer('form', formSending);
  fileUsers.answer('templates', templatesShowing);
  fileUsers.answer('campaigns', campaignsShowing);
  fileUsers.answer('automations', automationsShowing);
  topicUsers.answer('form', formWithTopic);
  onFormConfirmed.answer('forms', countConfirmed);
  topicUsers.answer('template', templateOfTopic);
  topicUsers.answer('campaign', campaignOfTopic);
  topicUsers.answer('workflow', automationWithTopic);
  topicUsers.answer('segment', segmentOfTopic);
  onTopicsLeft.answer('campaigns', takeFromPages);
  onTopicsLeft.answer('delivery', withdrawUnwanted);
  eventAutomations.answer('automations', automationsWithEvent);
  fieldReaders.answer('segments', segmentsReading);
  fieldReaders.answer('campaigns', campaignsReading);
  fieldReaders.answer('automations', automationsReading);
  fieldReaders.answer('templates', templatesReading);
}

/** Registers what follows when contacts are removed. */
function contacts(): void {
  onContactsRemoved.answer('segments', (session, { projectId }, removed, at) => removeFromSegments(projectId, idsOf(removed), at, session));
  onContactsRemoved.answer('erasure', begin);
  onContactsDetached.answer('automations', detachExecutions);
  onContactsDetached.answer('segments', removeFromSegments);
  onContactsDetached.answer('webhooks', forgetInDeliveries);
  onContactsGone.answer('automations', cancelOfContacts);
}

const idsOf = (rows: readonly { readonly _id: string }[]): readonly string[] => rows.map(({ _id }) => _id);

/** Registers the answers of campaigns for delivery, tracking and conditions. */
function campaigns(): void {
  campaignFigures.answer('campaigns', FIGURES);
  campaignWork.answer('campaign-mail', CAMPAIGN_WORK);
  stoppedCampaigns.answer('campaigns', stopped);
  skippedInCampaigns.answer('campaigns', skippedMessages);
  campaignsBehind.answer('campaigns', behind);
  knownCampaigns.answer('campaigns', existingCampaigns);
}
