import type { Core } from '../../platform/core';
import type { CompiledContent, SystemValues, Values } from '../../message/template';
import { ContentGone, contentOf } from './content';
import type { Email } from './model';
import { unsubscribeUrl, viewInBrowserUrl } from './urls';
import type { LinkedMessage } from './urls';

export interface Bodies {
  readonly html: string;
  readonly text: string;
  /** False where what the message said is not kept any longer: both are empty then. */
  readonly isKept: boolean;
}

const NOT_KEPT: Bodies = { html: '', text: '', isKept: false };

/** Returns what the platform itself puts into a message; the same at every rendering. */
export const systemValues = (
  core: Pick<Core, 'config' | 'secrets'>,
  email: LinkedMessage & Pick<Email, 'scheduledFor' | 'createdAt'>,
): SystemValues => new MessageValues(core, email, email.scheduledFor ?? email.createdAt);

/** Links are signed when they are read: most transactional mail has none of them. */
class MessageValues implements SystemValues {
  private unsubscribe: string | null = null;
  private view: string | null = null;

  constructor(
    private readonly core: Pick<Core, 'config' | 'secrets'>,
    private readonly email: LinkedMessage,
    private readonly at: Date,
  ) {}

  get unsubscribeUrl(): string {
    return (this.unsubscribe ??= unsubscribeUrl(this.core, this.email));
  }

  get viewInBrowserUrl(): string {
    return (this.view ??= viewInBrowserUrl(this.core, this.email));
  }

  get year(): number {
    return this.at.getUTCFullYear();
  }
}

/** Resolves to the bodies of a message as the recipient reads them: links are the author's own and nothing is tracked. Inbound mail is as it came. */
export async function readBodies(core: Pick<Core, 'config' | 'secrets'>, email: Email): Promise<Bodies> {
  if (email.erased || email.content === 'gone') return NOT_KEPT;
  if (email.source === 'inbound') return { html: email.inline?.html ?? '', text: email.inline?.text ?? '', isKept: true };
  const content = await contentIfKept(email);
  if (!content) return NOT_KEPT;
  const decoration = { trackLink: null, pixelUrl: null, unsubscribeFooter: email.type === 'marketing' };
  const { html, text } = content.render(JSON.parse(email.values) as Values, systemValues(core, email), decoration);
  return { html, text, isKept: true };
}

/** Resolves to the content, or null. Shared contents are removed once none of their messages is to be read. */
async function contentIfKept(email: Email): Promise<CompiledContent | null> {
  try {
    return await contentOf(email);
  } catch (error) {
    if (error instanceof ContentGone) return null;
    throw error;
  }
}
