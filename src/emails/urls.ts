import type { Core } from '../context';
import type { Email } from './model';

type UrlCore = { readonly config: Pick<Core['config'], 'PUBLIC_URL' | 'BOUNCE_DOMAIN'>; readonly secrets: Core['secrets'] };
/** What the links of a message are made of. */
export type LinkedMessage = Pick<Email, '_id' | 'trackingHost'>;
type MessagePurpose = 'open' | 'unsubscribe' | 'view' | 'bounce';

const ID_PREFIX = 'em_';
const TOKEN = /^([0-9a-z]{26})\.([0-9a-z]{28})$/;
const CLICK_TOKEN = /^([0-9a-z]{26})\.([A-Za-z0-9_-]+)\.([0-9a-z]{28})$/;

let split: { readonly url: string; readonly before: string; readonly after: string } | null = null;

/** The base of a message's links: PUBLIC_URL, with the sender's own host in it once that leads here. */
function baseOf({ config }: UrlCore, { trackingHost }: LinkedMessage): string {
  const { PUBLIC_URL: url } = config;
  if (trackingHost === undefined) return url;
  if (split?.url !== url) {
    const [, before = '', after = ''] = /^(https?:\/\/)(?:[^/@]*@)?(?:\[[^\]]*\]|[^/:]*)(.*)$/i.exec(url) ?? [];
    split = { url, before, after };
  }
  return split.before + trackingHost + split.after;
}

/** The page of a message where anyone who holds its link may opt out. Tokens are signed and hold no address. */
export const unsubscribeUrl = (core: UrlCore, message: LinkedMessage): string =>
  `${baseOf(core, message)}/u/${token(core, 'unsubscribe', message._id)}`;

/** The message in the browser. */
export const viewInBrowserUrl = (core: UrlCore, message: LinkedMessage): string =>
  `${baseOf(core, message)}/v/${token(core, 'view', message._id)}`;

/** The image that counts an open. */
export const openPixelUrl = (core: UrlCore, message: LinkedMessage): string =>
  `${baseOf(core, message)}/t/o/${token(core, 'open', message._id)}.gif`;

/** The envelope sender (VERP): what bounces comes back here and names its message. */
export const bounceAddress = (core: UrlCore, { _id, bounceDomain }: Pick<Email, '_id' | 'bounceDomain'>): string =>
  `b+${token(core, 'bounce', _id)}@${bounceDomain ?? core.config.BOUNCE_DOMAIN}`;

/** Mail to this address is an opt-out (RFC 2369). */
export const unsubscribeAddress = (core: UrlCore, emailId: string): string =>
  `u+${token(core, 'unsubscribe', emailId)}@${core.config.BOUNCE_DOMAIN}`;

const token = ({ secrets }: UrlCore, purpose: MessagePurpose, emailId: string): string =>
  `${shortId(emailId)}.${secrets.sign(purpose, emailId)}`;

/** The link that counts a click and goes on to `url`. */
export function clickUrl(core: UrlCore, message: LinkedMessage, url: string): string {
  const target = Buffer.from(url).toString('base64url');
  return `${baseOf(core, message)}/t/c/${shortId(message._id)}.${target}.${core.secrets.sign('click', clickPayload(message._id, url))}`;
}

/** The message that a token of a link or an address above stands for, or null when it was not made for this purpose or was altered. Takes constant time. */
export function readToken({ secrets }: Pick<UrlCore, 'secrets'>, purpose: MessagePurpose, token: string): string | null {
  const [, id = '', signature = ''] = TOKEN.exec(token) ?? [];
  const emailId = ID_PREFIX + id;
  return secrets.verify(purpose, emailId, signature) ? emailId : null;
}

export interface Click {
  readonly emailId: string;
  readonly url: string;
}

/** What a token of `clickUrl` stands for, or null when it was altered in any character. Takes constant time. */
export function readClickToken({ secrets }: Pick<UrlCore, 'secrets'>, token: string): Click | null {
  const [, id = '', target = '', signature = ''] = CLICK_TOKEN.exec(token) ?? [];
  const emailId = ID_PREFIX + id;
  const url = Buffer.from(target, 'base64url').toString('utf8');
  const asWritten = Buffer.from(url).toString('base64url') === target;
  return secrets.verify('click', clickPayload(emailId, url), signature) && asWritten ? { emailId, url } : null;
}

const clickPayload = (emailId: string, url: string): string => `${emailId}\n${url}`;

const shortId = (emailId: string): string => emailId.slice(ID_PREFIX.length);
