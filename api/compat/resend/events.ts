import { membersOf, renamed, stated } from '../kit/members';
import { perform } from '../kit/operations';
import { absent, resend } from './declare';

const NAMES: Readonly<Record<string, string>> = { event: 'name', contact_id: 'contactId', email: 'email', payload: 'data' };

const UNDECLARED = 'Events are not declared here: send them, and GET /v1/events/names lists their names.';
const AUTOMATIONS = 'Automations are workflows here, with another graph: see /v1/workflows.';
const INBOXES = 'Received mail is at /emails/receiving; there are no inboxes.';
const LOGS = 'GET /v1/events lists what happened; there is no log of requests.';
const GRANTS = 'There are no OAuth applications: revoke the API key.';

export const eventRoutes = [
  resend('POST /events/send', 'ingestEvent', async (request) => {
    const body = renamed(stated(membersOf(request.body)), NAMES);
    await perform('ingestEvent', request, { body });
    return { object: 'event', event: body['name'] };
  }),
  absent('POST /events', UNDECLARED),
  absent('GET /events', UNDECLARED),
  absent('GET /events/{id}', UNDECLARED),
  absent('PATCH /events/{id}', UNDECLARED),
  absent('DELETE /events/{id}', UNDECLARED),
];

/** Parts of Resend's API that are not here. */
export const absentRoutes = [
  absent('POST /automations', AUTOMATIONS),
  absent('GET /automations', AUTOMATIONS),
  absent('GET /automations/{id}', AUTOMATIONS),
  absent('PATCH /automations/{id}', AUTOMATIONS),
  absent('DELETE /automations/{id}', AUTOMATIONS),
  absent('POST /automations/{id}/duplicate', AUTOMATIONS),
  absent('POST /automations/{id}/stop', AUTOMATIONS),
  absent('GET /automations/{id}/runs', AUTOMATIONS),
  absent('GET /automations/{id}/runs/{runId}', AUTOMATIONS),
  absent('POST /inboxes', INBOXES),
  absent('GET /inboxes', INBOXES),
  absent('GET /logs', LOGS),
  absent('GET /logs/{id}', LOGS),
  absent('GET /oauth/grants', GRANTS),
  absent('DELETE /oauth/grants/{id}', GRANTS),
  absent('GET /usage', 'GET /v1/billing shows what was used.'),
];
