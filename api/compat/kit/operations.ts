import type { PageRequest, Rows } from '../../../src/platform/core';
import { campaignExtensions, campaignRoutes } from '../../campaigns/routes';
import { contactRoutes } from '../../contacts/routes';
import { domainRoutes } from '../../domains/routes';
import { emailExtensions, emailRoutes } from '../../emails/routes';
import { eventRoutes } from '../../events/routes';
import { Reply } from '../../http/answers';
import type { Page } from '../../http/answers';
import type { Endpoint } from '../../http/endpoint';
import { checkedInput, performed } from '../../http/perform';
import type { Asked, Asker } from '../../http/perform';
import { inboundRoutes } from '../../inbound/routes';
import { keyExtensions } from '../../keys/routes';
import { segmentRoutes } from '../../segments/routes';
import { sendRoutes } from '../../send/routes';
import { suppressionRoutes } from '../../suppressions/routes';
import { templateRoutes } from '../../templates/routes';
import { topicExtensions } from '../../topics/routes';
import { webhookExtensions, webhookRoutes } from '../../webhooks/routes';

/** The operations of `/v1` that the APIs of other services are built on, by id. */
const OPERATIONS: Readonly<Record<string, Endpoint>> = Object.fromEntries(
  [
    ...sendRoutes,
    ...emailRoutes,
    ...emailExtensions,
    ...eventRoutes,
    ...contactRoutes,
    ...topicExtensions,
    ...segmentRoutes,
    ...templateRoutes,
    ...campaignRoutes,
    ...campaignExtensions,
    ...domainRoutes,
    ...keyExtensions,
    ...webhookRoutes,
    ...webhookExtensions,
    ...suppressionRoutes,
    ...inboundRoutes,
  ].map((endpoint) => [endpoint.operationId, endpoint]),
);

/** Returns an operation of `/v1`. */
export function operation(operationId: string): Endpoint {
  const found = OPERATIONS[operationId];
  if (!found) throw new Error(`There is no operation ${operationId}`);
  return found;
}

const ONE_ROW: PageRequest = { limit: 1, after: null };

/** Checks a request by an operation's declaration, and returns it. Throws `validation_error`. */
export const checked = (operationId: string, asker: Pick<Asker, 'ctx' | 'incoming'>, asked: Asked) =>
  checkedInput(operation(operationId), asker, asked);

/** Does what an operation of `/v1` does. Resolves to what it answers. */
export async function perform<T>(operationId: string, asker: Asker, asked: Asked = {}, page: PageRequest = ONE_ROW): Promise<T> {
  const { answer } = await performed(operation(operationId), asker, asked, page);
  return (answer instanceof Reply ? answer.data : answer) as T;
}

/** Resolves to the rows of a whole list of `/v1`, which are read as they are taken. */
export const rowsOf = <T>(operationId: string, asker: Asker): Promise<Rows<T>> =>
  perform<Rows<T>>(operationId, asker, {}, { limit: Number.POSITIVE_INFINITY, after: null });

/** Finds a row in a whole list of `/v1`, which is read no further than the row. */
export async function findRow<T>(operationId: string, asker: Asker, isIt: (row: T) => boolean): Promise<T | null> {
  for await (const { row } of await rowsOf<T>(operationId, asker)) if (isIt(row)) return row;
  return null;
}

/** Resolves to a page of a list of `/v1`. */
export const pageOf = <T>(operationId: string, asker: Asker, asked: Asked, page: PageRequest): Promise<Page<T>> =>
  perform<Page<T>>(operationId, asker, asked, page);
