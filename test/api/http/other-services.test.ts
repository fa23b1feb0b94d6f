import type { Test } from 'supertest';
import { aProject } from '../../support/platform/app';
import type { Api } from '../../support/platform/app';

/** What users of other services write, and conditions and graphs by guess. */
const app = aProject();

type Ask = (api: Api) => Test;
type Row = readonly [mistake: string, ask: Ask, path: string, message: string];

const post =
  (path: string, base: object = {}) =>
  (change: object): Ask =>
  (api) =>
    api.post(path).send({ ...base, ...change });

const MESSAGE = { to: 'ada@example.com', from: 'team@hello.test', subject: 'Hello', html: '<p>Hello</p>' };
const send = post('/v1/send', MESSAGE);
const campaign = post('/v1/campaigns', { name: 'News', subject: 'Hello', body: '<p>Hello</p>', fromEmail: 'team@hello.test' });
const contact = post('/v1/contacts', { email: 'ada@example.com' });
const webhook = post('/v1/webhooks', { url: 'https://example.com/hook', events: ['*'] });
const event = post('/v1/events', { name: 'signed.up', email: 'ada@example.com' });
const node = (change: object): Ask => post('/v1/workflows')({ name: 'Welcome', graph: { nodes: [{ id: 'a', ...change }], edges: [] } });
const delay = (config: object): Ask => node({ type: 'delay', config });
const sendNode = (config: object): Ask => node({ type: 'send_email', config });
const edge = (change: object): Ask => post('/v1/workflows')({ name: 'Welcome', graph: { nodes: [], edges: [change] } });
const filter = (change: object): Ask => post('/v1/segments/preview')({ conditions: { logic: 'and', groups: [{ filters: [change] }] } });
const at = (member: string): string => `conditions.groups.0.filters.0.${member}`;

const UNITS = '"seconds", "minutes", "hours", "days", "weeks"';
const FIELDS =
  'email, firstName, lastName, locale, timezone, subscribed, createdAt, updatedAt, data.<path>, event.<name>, email.<sent|delivered|opened|clicked|bounced|complained>, segment.<segmentId>, topic.<key>';
const KINDS = `"trigger", "send_email", "delay", "digest", "wait_for_event", "condition", "switch", "split", "update_contact", "add_to_segment", "remove_from_segment", "emit_event", "webhook", "exit"`;

const wrong = (...row: Row): Row => row;

const MISTAKES: readonly Row[] = [
  wrong(
    'an event of the system that is misspelt',
    webhook({ events: ['*', 'email.delivred'] }),
    'events.1',
    'No system event has this name: did you mean "email.delivered"?',
  ),
  // Names that other services have.
  wrong('the data of a message', send({ data: {} }), 'data', 'Unknown key: did you mean "variables"?'),
  wrong('the data of a template', send({ template_data: {} }), 'template_data', 'Unknown key: did you mean "variables"?'),
  wrong('a custom field', contact({ plan: 'pro' }), 'plan', 'Unknown key: custom fields go into "data"'),
  wrong(
    'the opposite',
    contact({ unsubscribed: false }),
    'unsubscribed',
    'Unknown key: did you mean "subscribed", with the opposite meaning?',
  ),
  wrong('the name of an event', event({ event: 'a' }), 'event', 'Unknown key: did you mean "name"?'),
  wrong('the properties of an event', event({ properties: {} }), 'properties', 'Unknown key: did you mean "data"?'),
  wrong('a property of an event', event({ amount: 5 }), 'amount', 'Unknown key: properties of the event go into "data"'),
  wrong('the user of an event', event({ userId: '1' }), 'userId', 'Unknown key: did you mean "contactId"?'),
  wrong('an endpoint', webhook({ endpoint: 'https://example.com' }), 'endpoint', 'Unknown key: did you mean "url"?'),
  wrong('a domain by its name', post('/v1/domains')({ name: 'example.com' }), 'name', 'Unknown key: did you mean "domain"?'),
  wrong('an instant of the send', campaign({ abDecideAt: 'x' }), 'abDecideAt', 'Unknown key: give it to POST /v1/campaigns/{id}/send'),
  wrong(
    'several addresses in a text',
    send({ to: 'a@x.com, Bo <b@x.com>' }),
    'to',
    'Give several addresses as an array: ["a@example.com", …]',
  ),
  wrong(
    'a list of messages',
    (api) => api.post('/v1/send').send([MESSAGE]),
    '',
    'Must be an object, not a list: POST /v1/send/batch takes {"messages": […]}',
  ),
  wrong(
    'a page as a domain',
    post('/v1/domains')({ domain: 'https://www.example.com/' }),
    'domain',
    'Not a domain name: did you mean "example.com"?',
  ),
  wrong(
    'an address as a domain',
    post('/v1/domains')({ domain: 'ada@example.com' }),
    'domain',
    'Not a domain name: did you mean "example.com"?',
  ),
  wrong('a node that sends', node({ type: 'email' }), 'graph.nodes.0.type', `Must be one of ${KINDS}: did you mean "send_email"?`),
  wrong(
    'a delay of days',
    delay({ days: 3 }),
    'graph.nodes.0.config.days',
    'Unknown key: a span is written as {"amount": 3, "unit": "days"}',
  ),
  wrong('a delay without its amount', delay({ days: 3 }), 'graph.nodes.0.config.amount', 'Missing; must be a number'),
  wrong('a delay without its unit', delay({ amount: 3 }), 'graph.nodes.0.config.unit', `Missing; must be one of ${UNITS}`),
  wrong('a body of a node', sendNode({ subject: 'Hi', html: 'Hi' }), 'graph.nodes.0.config.html', 'Unknown key: did you mean "body"?'),
  wrong(
    'a sender beside a template',
    sendNode({ templateId: 'tpl_1', fromEmail: 'a@hello.test' }),
    'graph.nodes.0.config.fromEmail',
    'Unknown key: it cannot be used with the other members of this object',
  ),
  wrong('an edge from a source', edge({ source: 'a', to: 'a' }), 'graph.edges.0.source', 'Unknown key: did you mean "from"?'),
  wrong('an edge to a target', edge({ from: 'a', target: 'a' }), 'graph.edges.0.target', 'Unknown key: did you mean "to"?'),

  // Conditions.
  wrong(
    'a custom field by its name',
    filter({ field: 'plan', operator: 'equals', value: 'pro' }),
    at('field'),
    `Unknown field "plan": did you mean "data.plan"? Fields are ${FIELDS}`,
  ),
  wrong(
    'a field that is like none',
    filter({ field: 'a b', operator: 'exists' }),
    at('field'),
    `Unknown field "a b"; fields are ${FIELDS}`,
  ),
  wrong(
    'a field of another service',
    filter({ field: 'contact.first_name', operator: 'exists' }),
    at('field'),
    `Unknown field "contact.first_name": did you mean "firstName"? Fields are ${FIELDS}`,
  ),
  wrong(
    'what a mail did',
    filter({ field: 'email.open', operator: 'triggered' }),
    at('field'),
    `Unknown field "email.open": did you mean "email.opened"? Fields are ${FIELDS}`,
  ),
  wrong(
    'an operator in a word',
    filter({ field: 'subscribed', operator: 'is', value: true }),
    at('operator'),
    '"subscribed" does not take "is": did you mean "equals"? It takes equals, notEquals',
  ),
  wrong(
    'an operator of other fields',
    filter({ field: 'segment.s', operator: 'in' }),
    at('operator'),
    '"segment.s" does not take "in": did you mean "memberOf"? It takes memberOf, notMemberOf',
  ),
  wrong(
    'an operator that is like none',
    filter({ field: 'subscribed', operator: 'frob' }),
    at('operator'),
    '"subscribed" does not take "frob"; it takes equals, notEquals',
  ),
  wrong('a number for a text', filter({ field: 'data.plan', operator: 'contains', value: 5 }), at('value'), 'Must be a text, not a number'),
  wrong(
    'a text for a number',
    filter({ field: 'data.orders', operator: 'greaterThan', value: '5' }),
    at('value'),
    'Must be a number, an ISO 8601 date, or a date-time with an offset or Z, not a text',
  ),
  wrong('no value', filter({ field: 'subscribed', operator: 'equals' }), at('value'), 'Missing; must be true or false'),
  wrong(
    'a unit',
    filter({ field: 'createdAt', operator: 'within', value: 3, unit: 'day' }),
    at('unit'),
    'Must be minutes, hours or days: did you mean "days"?',
  ),
  wrong('a key of a filter', filter({ field: 'email', op: 'is', value: 'a' }), at('op'), 'Unknown key: did you mean "operator"?'),
];

test.each(MISTAKES)('the answer names what is meant: %s', async (_mistake, ask, path, message) => {
  const { body } = await ask(app.api()).expect(422);
  const { code, details } = body as { code: string; details: { path: string; message: string }[] };
  expect(code).toBe('validation_error');
  expect(details.map((each) => ({ path: each.path, message: each.message }))).toContainEqual({ path, message });
});
