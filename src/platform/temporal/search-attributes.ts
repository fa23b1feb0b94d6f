import { isGrpcServiceError } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import { TypedSearchAttributes, defineSearchAttributeKey } from '@temporalio/common';
import type { SearchValues } from '../../contracts/processes';

/**
 * Attributes, with their types, that people filter workflows by in Temporal's web UI, in addition to Temporal's own, such as
 * ExecutionStatus. The API's _workflow_ is an automation here: `WorkflowId` is Temporal's own name for the id of one of its workflows, and
 * it allows no other attribute of that name.
 */
export const SEARCH_ATTRIBUTES = {
  ProjectId: 'Keyword',
  CampaignId: 'Keyword',
  ContactId: 'Keyword',
  AutomationId: 'Keyword',
  DomainId: 'Keyword',
  WebhookId: 'Keyword',
  EmailId: 'KeywordList',
  RecipientId: 'KeywordList',
  Due: 'Datetime',
} as const;

const KEYS = {
  projectId: defineSearchAttributeKey('ProjectId', 'KEYWORD'),
  campaignId: defineSearchAttributeKey('CampaignId', 'KEYWORD'),
  contactId: defineSearchAttributeKey('ContactId', 'KEYWORD'),
  automationId: defineSearchAttributeKey('AutomationId', 'KEYWORD'),
  domainId: defineSearchAttributeKey('DomainId', 'KEYWORD'),
  webhookId: defineSearchAttributeKey('WebhookId', 'KEYWORD'),
};
export const LISTS = {
  emailIds: defineSearchAttributeKey('EmailId', 'KEYWORD_LIST'),
  recipientIds: defineSearchAttributeKey('RecipientId', 'KEYWORD_LIST'),
};
export const DUE = defineSearchAttributeKey('Due', 'DATETIME');

/** Returns the values as a workflow is started with them. */
export const searchAttributesOf = (values: SearchValues): TypedSearchAttributes =>
  new TypedSearchAttributes([
    ...(Object.keys(KEYS) as (keyof typeof KEYS)[]).flatMap((name) => {
      const value = values[name];
      return value === undefined ? [] : [{ key: KEYS[name], value }];
    }),
    ...(Object.keys(LISTS) as (keyof typeof LISTS)[]).flatMap((name) => {
      const value = values[name];
      return value === undefined ? [] : [{ key: LISTS[name], value: [...value] }];
    }),
    ...(values.due === undefined ? [] : [{ key: DUE, value: new Date(values.due) }]),
  ]);

/** google.rpc.Code */
const [INVALID_ARGUMENT, ALREADY_EXISTS] = [3, 6];
/** Unimplemented, permission denied, unauthenticated: who may use the namespace need not be one who may change it, as in Temporal Cloud. */
const NOT_OURS_TO_CHANGE: readonly number[] = [12, 7, 16];

const codeOf = (error: unknown): number | null => (isGrpcServiceError(error) ? error.code : null);

/** temporal.api.enums.v1.IndexedValueType */
const TYPES = { Keyword: 2, Datetime: 6, KeywordList: 7 } as const;
/** A value to which a query may compare an attribute of the type. */
const ANY_VALUE = { Keyword: 'none', Datetime: '2026-01-01T00:00:00Z', KeywordList: 'none' } as const;

/**
 * Registers the attributes with a server that does not know them yet; without that it would refuse workflows that carry them. Where they are for somebody
 * else to register, throws a sentence that says which are missing.
 */
export async function ensureSearchAttributes(client: Client, namespace: string): Promise<void> {
  for (const [name, type] of Object.entries(SEARCH_ATTRIBUTES)) {
    try {
      await client.connection.operatorService.addSearchAttributes({ namespace, searchAttributes: { [name]: TYPES[type] } });
    } catch (error) {
      const code = codeOf(error) ?? -1;
      if (NOT_OURS_TO_CHANGE.includes(code)) return requireSearchAttributes(client, namespace);
      if (code !== ALREADY_EXISTS) throw error;
    }
  }
}

/** Throws when the server does not know an attribute: it refuses a query by one as an invalid argument. */
async function requireSearchAttributes(client: Client, namespace: string): Promise<void> {
  const missing: string[] = [];
  for (const [name, type] of Object.entries(SEARCH_ATTRIBUTES)) {
    try {
      await client.workflowService.countWorkflowExecutions({ namespace, query: `${name} = '${ANY_VALUE[type]}'` });
    } catch (error) {
      if (codeOf(error) !== INVALID_ARGUMENT) throw error;
      missing.push(`${name} (${type})`);
    }
  }
  if (missing.length > 0)
    throw new Error(`The namespace ${namespace} lacks search attributes that have to be added there: ${missing.join(', ')}`);
}
