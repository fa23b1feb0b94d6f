import { isGrpcServiceError } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import { TypedSearchAttributes, defineSearchAttributeKey } from '@temporalio/common';
import type { SearchIds } from '../contracts/processes';

/** What people filter workflows by in Temporal's web UI, beside Temporal's own, such as ExecutionStatus. */
export const SEARCH_ATTRIBUTES = ['ProjectId', 'CampaignId', 'ContactId'] as const;

const KEYS = {
  projectId: defineSearchAttributeKey('ProjectId', 'KEYWORD'),
  campaignId: defineSearchAttributeKey('CampaignId', 'KEYWORD'),
  contactId: defineSearchAttributeKey('ContactId', 'KEYWORD'),
};

/** The ids as a workflow is started with them. */
export const searchAttributesOf = (ids: SearchIds): TypedSearchAttributes =>
  new TypedSearchAttributes(
    (['projectId', 'campaignId', 'contactId'] as const).flatMap((name) => {
      const value = ids[name];
      return value === undefined ? [] : [{ key: KEYS[name], value }];
    }),
  );

/** google.rpc.Code */
const ALREADY_EXISTS = 6;

/** temporal.api.enums.v1.IndexedValueType */
const KEYWORD = 2;

/** Registers the attributes with a server that does not know them yet; without that it would refuse workflows that carry them. */
export async function ensureSearchAttributes(client: Client, namespace: string): Promise<void> {
  for (const name of SEARCH_ATTRIBUTES) {
    try {
      await client.connection.operatorService.addSearchAttributes({ namespace, searchAttributes: { [name]: KEYWORD } });
    } catch (error) {
      if (!(isGrpcServiceError(error) && (error.code as number) === ALREADY_EXISTS)) throw error;
    }
  }
}
