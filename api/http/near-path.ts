import { AppError } from '../../src/platform/core';
import { nearestName } from '../../src/rules/near-name';

const MOST_SEGMENTS = 8;
const MOST_CHARACTERS = 40;

/** Other services' names for the first segment of a path. */
const RESOURCES: Readonly<Record<string, string>> = {
  email: 'emails',
  messages: 'emails',
  mail: 'emails',
  broadcasts: 'campaigns',
  newsletters: 'campaigns',
  automations: 'workflows',
  journeys: 'workflows',
  flows: 'workflows',
  sequences: 'workflows',
  audiences: 'segments',
  lists: 'segments',
  subscribers: 'contacts',
  recipients: 'contacts',
  people: 'contacts',
  profiles: 'contacts',
  members: 'contacts',
  'custom-fields': 'contacts/fields',
  properties: 'contacts/fields',
  unsubscribes: 'suppressions',
  bounces: 'suppressions',
  complaints: 'suppressions',
  blocklist: 'suppressions',
  track: 'events',
  'webhook-endpoints': 'webhooks',
  endpoints: 'webhooks',
  'sender-domains': 'domains',
  'api-keys': 'keys',
  api_keys: 'keys',
  usage: 'billing',
  statistics: 'stats',
  analytics: 'stats',
};

/** Methods and paths of other services, and the operation that does the same here. */
const INSTEAD: readonly (readonly [methods: string, template: string, here: string])[] = [
  ['POST', '/v1/emails', 'POST /v1/send sends a message'],
  ['POST', '/v1/emails/send', 'POST /v1/send sends a message'],
  ['POST', '/v1/emails/withTemplate', 'POST /v1/send sends a message, with a templateId'],
  ['POST', '/v1/emails/batch', 'POST /v1/send/batch sends several messages'],
  ['POST', '/v1/emails/{id}/cancel', 'DELETE /v1/emails/{id} cancels a message that waits'],
  ['PUT', '/v1/emails/{id}', 'PATCH /v1/emails/{id} moves a message that waits'],
  ['POST PUT PATCH', '/v1/contacts/{id}', 'POST /v1/contacts updates a contact, by its address'],
  ['PUT PATCH', '/v1/contacts', 'POST /v1/contacts updates a contact, by its address'],
  ['POST PUT', '/v1/segments/{id}/contacts', 'POST /v1/segments/{id}/members adds contacts'],
  ['GET', '/v1/segments/{id}/contacts', 'GET /v1/segments/{id}/members lists them'],
  ['POST', '/v1/campaigns/{id}/schedule', 'POST /v1/campaigns/{id}/send takes scheduledFor'],
  ['POST', '/v1/workflows/{id}/activate', 'PATCH /v1/workflows/{id} takes {"status": "active"}'],
  ['POST', '/v1/workflows/{id}/pause', 'PATCH /v1/workflows/{id} takes {"status": "paused"}'],
  ['POST', '/v1/events/track', 'POST /v1/events records an event'],
];

const isVariable = (segment: string): boolean => segment.startsWith('{');
const segmentsOf = (path: string): readonly string[] => path.split('/').filter((segment) => segment !== '');

/** Returns whether the segments of a path are near a template's, of which some are left open. */
const isNear = (given: readonly string[], template: readonly string[]): boolean =>
  given.length === template.length &&
  template.every(
    (segment, index) => isVariable(segment) || nearestName((given[index] ?? '').slice(0, MOST_CHARACTERS), [segment]) !== null,
  );

/**
 * Returns the paths that may be meant by one: as it is, and with the names that its resource has here. A path without a version, or with
 * another one, is read as v1's.
 */
function readings(path: string): readonly (readonly string[])[] {
  const given = segmentsOf(path.slice(0, MOST_SEGMENTS * MOST_CHARACTERS)).slice(0, MOST_SEGMENTS);
  const [first = '', ...rest] = /^v\d+$/i.test(given[0] ?? '') ? given.slice(1) : given;
  const name = first.toLowerCase();
  const renamed = Object.hasOwn(RESOURCES, name) ? RESOURCES[name] : undefined;
  return [...(renamed === undefined ? [] : [['v1', ...renamed.split('/'), ...rest]]), ['v1', first, ...rest]];
}

/** Returns the operation that does what a method and a path do in another service; null if none is known. */
export function doneBy(method: string, path: string): string | null {
  const read = readings(path);
  const known = INSTEAD.find(
    ([methods, template]) => methods.split(' ').includes(method) && read.some((given) => isNear(given, segmentsOf(template))),
  );
  return known?.[2] ?? null;
}

/**
 * Returns the path of the API that was probably meant, null if none is near: with another spelling or name, without its version, or with
 * a slash too many.
 */
function nearestPath(path: string, templates: readonly string[]): string | null {
  const fixed = (template: string): number => segmentsOf(template).filter((segment) => !isVariable(segment)).length;
  for (const given of readings(path)) {
    const near = templates.filter((template) => isNear(given, segmentsOf(template)));
    const [nearest] = near.sort((a, b) => fixed(b) - fixed(a));
    if (nearest !== undefined) return nearest;
  }
  return null;
}

/** Creates the 404 of an unknown path, with the operation that does the same, or the closest path. */
export function noSuchPath(method: string, path: string, templates: readonly string[]): AppError {
  const instead = doneBy(method, path);
  const meant = nearestPath(path, templates);
  const hint = instead !== null ? `: ${instead}` : meant === null ? '' : `: did you mean ${meant}?`;
  return new AppError('not_found', `This path does not exist${hint}`);
}
