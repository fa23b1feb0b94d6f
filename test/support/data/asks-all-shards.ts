/** Commands that ask every shard, with the reason. No others may. */
export const ASKS_ALL: Readonly<Record<string, string>> = {
  ...{
    'emails find by dueAt, priority, projectId, shard': 'the pump: projects with due mail are what it looks for',
    'emails aggregate by dueAt, priority, projectId, shard':
      'the pump, and the sweep of scheduled mail: when the next message of any project is due',
    'emails find by attempts, dueAt, status': 'the list in Temporal of mail that waits for another attempt',
    'events aggregate by fanOut': 'fan-out: projects with events are what it looks for',
    'events find by fanOut, fanOutAt, projectId': 'the sweep of fan-out: events of any project that are late',
    'automation_executions find by checkAt': 'the sweep of executions',
  },
  ...{
    'emails distinct by attempt.worker, status': 'workers with mail on the wire, of which some may be lost',
    'campaign_claims distinct by worker': 'the same, of campaigns',
    'campaign_pages distinct by worker': 'the same, of pages',
    'emails find by attempt.at, attempt.worker, status': 'what a lost worker had on the wire, of all projects',
    'campaign_claims find by at, worker': 'the same, of campaigns',
    'campaign_pages find by at, worker': 'the same, of pages',
  },
  ...{
    'emails find by _id': 'a link in a message names the message alone: its first read finds the project, which everything after it has',
    'opt_ins find by _id': 'the link of a confirmation names the opt-in alone',
    'campaign_claims find by begun, emails': 'the same, of a message that is being sent',
    'campaign_claims find by emails': 'erasure of a person: whether any campaign is sending to them',
    'emails aggregate by campaignId, status':
      'counts of failed and waiting mail of a campaign: from an index alone, which does not have the project',
    'segment_members find by _id': 'members of a segment: from the index of `_id` alone, which does not have the project',
    'segment_members aggregate by _id': 'the same, counted',
  },
  ...{
    'events find by receivedAt': 'the counts of names: what all projects have received since the last time',
    'events aggregate by receivedAt': 'the same',
    'emails aggregate by holds, projectId, sentAt': 'the same, of events that rows of messages hold',
    'emails aggregate by createdAt, holdsQueued, projectId': 'the same',
    'emails aggregate by projectId, recordedAt': 'the same, of those that were recorded late',
    'emails aggregate by holdsQueued, projectId, recordedAt': 'the same',
    'segment_count_changes aggregate by nothing': 'the adding up of changes, of all segments',
    'contact_field_changes distinct by nothing': 'the adding up of changes, of all projects',
  },
  ...{
    'webhook_deliveries update by contactId, createdAt, projectId, status': 'deletion of a contact: deliveries of all endpoints',
    'webhook_deliveries update by contactId, createdAt, forgotten, projectId, status': 'the same',
    'webhook_deliveries find by contactId, projectId': 'what is held about a contact: deliveries of all endpoints',
    'contact_import_pieces delete by _id': 'all pieces of a file, once',
  },
  ...{
    'emails find by createdAt, dueAt, priority, projectId, shard': 'the restore fence: due mail of all projects',
    'emails aggregate by attempt.at, attempt.worker, status': 'the restore fence: what was on the wire',
    'held_emails find by nothing': 'the restore fence: what is held',
    'held_emails aggregate by nothing': 'the same, by project',
  },
  ...{
    'webhook_deliveries distinct by projectId': 'retention of less than 30 days: the endpoints that have deliveries',
    'contents find by neededAt, projectId': 'retention of contents',
    'blobs find by neededAt, projectId': 'retention of contents',
    'file_blobs find by at, attached': 'retention: what uploads left behind that never ended',
    'held_emails find by projectId': 'retention of contents, and removal of a project',
  },
  ...{
    'webhook_deliveries find by projectId': 'removal of a project',
    'contents find by projectId': 'removal of a project',
    'blobs find by projectId': 'removal of a project',
    'file_blobs find by projectId': 'removal of a project',
  },
};
