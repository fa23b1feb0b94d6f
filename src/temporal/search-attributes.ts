import { isGrpcServiceError } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import { TypedSearchAttributes, defineSearchAttributeKey } from '@temporalio/common';
import type { SearchIds } from '../contracts/processes';

/** What people filter workflows by in Temporal's web UI, beside Temporal's own, such as ExecutionStatus: names with their types. */
export const SEARCH_ATTRIBUTES = {
  ProjectId: 'Keyword',
  CampaignId: 'Keyword',
  ContactId: 'Keyword',
  WebhookId: 'Keyword',
  EmailId: 'KeywordList',
} as const;

const KEYS = {
  projectId: defineSearchAttributeKey('ProjectId', 'KEYWORD'),
  campaignId: defineSearchAttributeKey('CampaignId', 'KEYWORD'),
  contactId: defineSearchAttributeKey('ContactId', 'KEYWORD'),
  webhookId: defineSearchAttributeKey('WebhookId', 'KEYWORD'),
};
const EMAIL_IDS = defineSearchAttributeKey('EmailId', 'KEYWORD_LIST');

/** The ids as a workflow is started with them. */
export const searchAttributesOf = (ids: SearchIds): TypedSearchAttributes =>
  new TypedSearchAttributes([
    ...(['projectId', 'campaignId', 'contactId', 'webhookId'] as const).flatMap((name) => {
      const value = ids[name];
      return value === undefined ? [] : [{ key: KEYS[name], value }];
    }),
    ...(ids.emailIds ? [{ key: EMAIL_IDS, value: [...ids.emailIds] }] : []),
  ]);

/** google.rpc.Code */
const ALREADY_EXISTS = 6;

/** temporal.api.enums.v1.IndexedValueType */
const TYPES = { Keyword: 2, KeywordList: 7 } as const;

/** Registers the attributes with a server that does not know them yet; without that it would refuse workflows that carry them. */
export async function ensureSearchAttributes(client: Client, namespace: string): Promise<void> {
  for (const [name, type] of Object.entries(SEARCH_ATTRIBUTES)) {
    try {
      await client.connection.operatorService.addSearchAttributes({ namespace, searchAttributes: { [name]: TYPES[type] } });
    } catch (error) {
      if (!(isGrpcServiceError(error) && (error.code as number) === ALREADY_EXISTS)) throw error;
    }
  }
}
