import { FixedText } from '../../message/mime';
import type { ContentForMany } from '../../message/template';
import { escapeMarkup } from '../../message/template';
import { baseOf, fullId, shortId } from './urls';
import type { LinkedMessage, UrlCore } from './urls';

export interface Click {
  readonly emailId: string;
  readonly url: string;
}

type Keys = Pick<UrlCore, 'secrets'>;

const TARGET = '([A-Za-z0-9_-]+)';
/** A link of a content: message, content, the message's signature of it, URL, the content's signature of that. */
const OF_CONTENT = new RegExp(`^([0-9a-z]{26})\\.([0-9a-z]{12})\\.([0-9a-z]{26})\\.${TARGET}\\.([0-9a-z]{28})$`);
/** A link of one message: message, URL, signature. */
const OF_MESSAGE = new RegExp(`^([0-9a-z]{26})\\.${TARGET}\\.([0-9a-z]{26})$`);
/** 60 bits of a keyed hash: a content that is to have another one's mark cannot be looked for. */
const MARK_LENGTH = 12;

/** The links of one content for one project: signed once for all recipients. */
interface ContentLinks {
  readonly projectId: string;
  readonly secrets: UrlCore['secrets'];
  readonly mark: string;
  readonly targets: Map<string, FixedText>;
}

const linksOf = new WeakMap<ContentForMany, ContentLinks>();

function contentLinks({ secrets }: Keys, projectId: string, content: ContentForMany): ContentLinks {
  const known = linksOf.get(content);
  if (known?.projectId === projectId && known.secrets === secrets) return known;
  const mark = secrets.sign('content', `${projectId}\n${content.key}`).slice(-MARK_LENGTH);
  const made = { projectId, secrets, mark, targets: new Map<string, FixedText>() };
  linksOf.set(content, made);
  return made;
}

const beginningOf = (core: UrlCore, message: LinkedMessage): string => `${baseOf(core, message)}/t/c/${shortId(message._id)}.`;

/** Returns the link of one message that counts a click and redirects to `url`, be that the recipient's own. */
export function clickUrl(core: UrlCore, message: LinkedMessage, url: string): string {
  return `${beginningOf(core, message)}${target(url)}.${core.secrets.signMessage(message._id).ofClicks(urlScope(url))}`;
}

/** The same for the URLs that a content names itself: its project's signatures of them serve all of its messages. */
export class ClickLinks {
  private beginning: FixedText | null = null;
  private readonly links: ContentLinks;

  constructor(
    private readonly core: UrlCore,
    private readonly message: LinkedMessage,
    projectId: string,
    content: ContentForMany,
  ) {
    this.links = contentLinks(core, projectId, content);
  }

  /** Returns a link in two pieces: the common beginning of the message's links, and what its content signed for the URL. */
  to(url: string): readonly FixedText[] {
    this.beginning ??= this.begin();
    return [this.beginning, this.links.targets.get(url) ?? this.sign(url)];
  }

  private begin(): FixedText {
    const { mark } = this.links;
    const signature = this.core.secrets.signMessage(this.message._id).ofClicks(contentScope(mark));
    return new FixedText(escapeMarkup(`${beginningOf(this.core, this.message)}${mark}.${signature}.`));
  }

  private sign(url: string): FixedText {
    const { mark, targets } = this.links;
    const made = new FixedText(`${target(url)}.${this.core.secrets.sign('link', linkPayload(mark, url))}`);
    targets.set(url, made);
    return made;
  }
}

const contentScope = (mark: string): string => `content\n${mark}`;
const urlScope = (url: string): string => `url\n${url}`;
const linkPayload = (mark: string, url: string): string => `${mark}\n${url}`;

const target = (url: string): string => Buffer.from(url).toString('base64url');

/**
 * Returns what the token of a link stands for, or null when it was altered in any character, or put together of parts of several. The address is part of the
 * token, so no storage is asked. Takes constant time.
 */
export function readClickToken(keys: Keys, token: string): Click | null {
  const ofContent = OF_CONTENT.exec(token);
  return ofContent ? readContentLink(keys, ofContent) : readMessageLink(keys, OF_MESSAGE.exec(token) ?? []);
}

function readContentLink(
  { secrets }: Keys,
  [, id = '', mark = '', ofMessage = '', to = '', ofContent = '']: readonly string[],
): Click | null {
  const click = clickOf(id, to);
  const names = secrets.verifyMessage(click.emailId, ofMessage, (signatures) => signatures.ofClicks(contentScope(mark)));
  const leads = secrets.verify('link', linkPayload(mark, click.url), ofContent);
  return names && leads && target(click.url) === to ? click : null;
}

function readMessageLink({ secrets }: Keys, [, id = '', to = '', signature = '']: readonly string[]): Click | null {
  const click = clickOf(id, to);
  const { emailId, url } = click;
  const isValid = secrets.verifyMessage(emailId, signature, (signatures) => signatures.ofClicks(urlScope(url)));
  return isValid && target(url) === to ? click : null;
}

const clickOf = (id: string, to: string): Click => ({ emailId: fullId(id), url: Buffer.from(to, 'base64url').toString('utf8') });
