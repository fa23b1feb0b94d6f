/** Screens of single objects, by the first word of an action. */
const OBJECTS: Readonly<Record<string, string>> = {
  approval: '/approvals',
  campaign: '/campaigns',
  domain: '/domains',
  form: '/forms',
  segment: '/segments',
  template: '/templates',
  webhook: '/webhooks',
  workflow: '/automations',
};

/** Screens where objects are that have none of their own. */
const LISTS: Readonly<Record<string, string>> = {
  billing: '/billing',
  file: '/files',
  key: '/keys',
  suppression: '/suppressions',
  topic: '/topics',
  translations: '/translations',
  invitation: '/settings',
  member: '/settings',
  settings: '/settings',
};

/** Returns the screen that shows what was changed; null if there is none, or it was deleted. */
export function placeOf(action: string, subject: string | null): string | null {
  const [object = '', deed] = action.split('.');
  const list = LISTS[object];
  if (list !== undefined) return list;
  const parent = OBJECTS[object];
  return parent === undefined || subject === null || deed === 'delete' ? null : `${parent}/${encodeURIComponent(subject)}`;
}
