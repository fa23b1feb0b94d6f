import type { SystemValues } from '../../message/template';
import { domainOf } from '../../platform/addresses';
import { perCore } from '../../platform/core';
import type { Core } from '../../platform/core';
import type { MessagePurpose } from '../../platform/secrets';
import type { Email } from './model';

export type UrlCore = { readonly config: Pick<Core['config'], 'PUBLIC_URL' | 'BOUNCE_DOMAIN'>; readonly secrets: Core['secrets'] };
/** The members of a message that its links need. */
export type LinkedMessage = Pick<Email, '_id' | 'trackingHost'>;

const ID_PREFIX = 'em_';
/** The form of a message's token. */
export const MESSAGE_TOKEN = '[0-9a-z]{26}\\.[0-9a-z]{26}';
const TOKEN = new RegExp(`^${MESSAGE_TOKEN}$`);

/** PUBLIC_URL before and after its host. */
const aroundHost = perCore(({ config }: UrlCore) => {
  const [, before = '', after = ''] = /^(https?:\/\/)(?:[^/@]*@)?(?:\[[^\]]*\]|[^/:]*)(.*)$/i.exec(config.PUBLIC_URL) ?? [];
  return { before, after };
});

/** Returns the base of a message's links: PUBLIC_URL, with the sender's own host in it once that leads here. */
export function baseOf(core: UrlCore, { trackingHost }: LinkedMessage): string {
  if (trackingHost === undefined) return core.config.PUBLIC_URL;
  const { before, after } = aroundHost(core);
  return before + trackingHost + after;
}

/** Returns the page of a message where anyone who holds its link may opt out. Tokens are signed and hold no address. */
export const unsubscribeUrl = (core: UrlCore, message: LinkedMessage): string =>
  `${baseOf(core, message)}/u/${token(core, 'unsubscribe', message._id)}`;

/** Returns the page where they choose what they get. Who holds one of the two links may do what the other offers: both have the same token. */
export const preferencesUrl = (core: UrlCore, message: LinkedMessage): string =>
  `${baseOf(core, message)}/p/${token(core, 'unsubscribe', message._id)}`;

/** Returns the message in the browser. */
export const viewInBrowserUrl = (core: UrlCore, message: LinkedMessage): string =>
  `${baseOf(core, message)}/v/${token(core, 'view', message._id)}`;

/** Returns what the platform itself puts into a message; the same at every rendering. */
export const systemValues = (core: UrlCore, email: LinkedMessage & Pick<Email, 'scheduledFor' | 'createdAt'>): SystemValues =>
  new MessageValues(core, email, email.scheduledFor ?? email.createdAt);

/** Links are signed when they are read: most transactional mail has none of them. */
class MessageValues implements SystemValues {
  private unsubscribe: string | null = null;
  private preferences: string | null = null;
  private view: string | null = null;

  constructor(
    private readonly core: UrlCore,
    private readonly email: LinkedMessage,
    private readonly at: Date,
  ) {}

  get unsubscribeUrl(): string {
    return (this.unsubscribe ??= unsubscribeUrl(this.core, this.email));
  }

  get preferencesUrl(): string {
    return (this.preferences ??= preferencesUrl(this.core, this.email));
  }

  get viewInBrowserUrl(): string {
    return (this.view ??= viewInBrowserUrl(this.core, this.email));
  }

  get year(): number {
    return this.at.getUTCFullYear();
  }
}

/** Returns the image that counts an open. */
export const openPixelUrl = (core: UrlCore, message: LinkedMessage): string =>
  `${baseOf(core, message)}/t/o/${token(core, 'open', message._id)}.gif`;

/** Returns the Message-ID of a message, with angle brackets: the same for every attempt. Its right side is the sender's domain (RFC 5322 3.6.4). */
export const messageIdOf = (emailId: string, fromEmail: string): string => `<${emailId}@${domainOf(fromEmail)}>`;

/** Returns the envelope sender (VERP): what bounces comes back here and names its message. */
export const bounceAddress = (core: UrlCore, { _id, bounceDomain }: Pick<Email, '_id' | 'bounceDomain'>): string =>
  `b+${token(core, 'bounce', _id)}@${bounceDomain ?? core.config.BOUNCE_DOMAIN}`;

/** Returns what a report may know a message by where its Message-ID is not its own. */
export const feedbackToken = (core: UrlCore, { _id }: Pick<Email, '_id'>): string => token(core, 'bounce', _id);

/** Returns the address to which any mail is an opt-out (RFC 2369). */
export const unsubscribeAddress = (core: UrlCore, emailId: string): string =>
  `u+${token(core, 'unsubscribe', emailId)}@${core.config.BOUNCE_DOMAIN}`;

const token = ({ secrets }: UrlCore, purpose: MessagePurpose, emailId: string): string =>
  `${shortId(emailId)}.${secrets.signMessage(emailId).of(purpose)}`;

/** Returns the message that a token of a link or an address above stands for, or null when it was not made for this purpose or was altered. Takes constant time. */
export function readToken({ secrets }: Pick<UrlCore, 'secrets'>, purpose: MessagePurpose, token: string): string | null {
  const [id = '', signature = ''] = TOKEN.exec(token)?.[0].split('.') ?? [];
  const emailId = fullId(id);
  return secrets.verifyMessage(emailId, signature, (signatures) => signatures.of(purpose)) ? emailId : null;
}

/** Returns an e-mail's id without its prefix, for links. */
export const shortId = (emailId: string): string => emailId.slice(ID_PREFIX.length);

/** Returns the id of which `shortId` took the prefix. */
export const fullId = (short: string): string => ID_PREFIX + short;
