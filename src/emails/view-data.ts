import type { Core } from '../context';
import type { SystemValues, Values } from '../render';
import { contentOf } from './content';
import type { Email } from './model';
import { publicUrls } from './urls';

export interface Bodies {
  readonly html: string;
  readonly text: string;
}

/** What the platform itself puts into a message; the same at every rendering. */
export const systemValues = (
  core: Pick<Core, 'config' | 'secrets'>,
  { _id, scheduledFor, createdAt }: Pick<Email, '_id' | 'scheduledFor' | 'createdAt'>,
): SystemValues => ({ ...publicUrls(core, _id), year: (scheduledFor ?? createdAt).getUTCFullYear() });

/** The bodies of a message as the recipient reads them: links are the author's own and nothing is tracked. Inbound mail is as it came. */
export async function readBodies(core: Pick<Core, 'config' | 'secrets'>, email: Email): Promise<Bodies> {
  if (email.source === 'inbound') return { html: email.inline?.html ?? '', text: email.inline?.text ?? '' };
  const content = await contentOf(email);
  const decoration = { trackLink: null, pixelUrl: null, unsubscribeFooter: email.type === 'marketing' };
  const { html, text } = content.render(JSON.parse(email.values) as Values, systemValues(core, email), decoration);
  return { html, text };
}
