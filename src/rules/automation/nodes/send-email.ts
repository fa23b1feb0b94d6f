import type { SendOnce } from '../../../contracts/frequency-cap';
import { DONE, doneOrSkipped } from '../node';
import type { Act, ActingNode } from '../node';
import { worldOf } from '../stage';
import type { Translation, Translations } from '../../translations';

type Json = Readonly<Record<string, unknown>>;

export interface InlineMessage {
  readonly subject: string;
  readonly body: string;
  /** The design of the visual editor, as it was given. */
  readonly bodyBlocks?: unknown;
  readonly fromEmail: string;
  readonly fromName?: string | undefined;
  readonly previewText?: string | undefined;
  readonly replyTo?: string | undefined;
  readonly type: 'transactional' | 'marketing';
  readonly variables?: Json | undefined;
  readonly topicId?: string | undefined;
  readonly sendOnce?: SendOnce | undefined;
  readonly variants?: Translations | null | undefined;
}

export interface StoredMessage {
  readonly templateId: string;
  readonly variables?: Json | undefined;
  /** Replaces the template's topic. */
  readonly topicId?: string | undefined;
  readonly sendOnce?: SendOnce | undefined;
}

const textsOf = ({ subject, body, previewText }: Pick<Translation, 'subject' | 'body' | 'previewText'>): Json => ({
  subject,
  body,
  previewText,
});

const renderedOf = ([language, variant]: [string, Translation]): [string, Json] => [language, textsOf(variant)];

// A topic is for marketing mail; of a template, that is judged when it is sent.
const fitsTopic = (config: StoredMessage | InlineMessage): boolean => 'templateId' in config || config.type === 'marketing';

/** Sends a message to the contact. */
export const sendEmail: ActingNode<StoredMessage | InlineMessage, Act<'sendEmail'>> = {
  sends: true,
  references: (config, path) => ({
    ...('templateId' in config
      ? { templateIds: [{ id: config.templateId, path: `${path}.templateId` }] }
      : { fromEmails: [{ email: config.fromEmail, path: `${path}.fromEmail` }] }),
    ...(config.topicId !== undefined && { topicIds: [{ id: config.topicId, path: `${path}.topicId`, fits: fitsTopic(config) }] }),
  }),
  rendered(config) {
    if ('templateId' in config) return null;
    const { variants } = config;
    return { ...textsOf(config), ...(variants && { variants: Object.fromEntries(Object.entries(variants).map(renderedOf)) }) };
  },
  effect: ({ id }) => ({ kind: 'sendEmail', nodeId: id }),
  outcome: (_node, _state, input) => doneOrSkipped(input),
  async rehearse(stage, { id, config }) {
    const message = await stage.ports.render(config, worldOf(stage));
    if ('failed' in message) return { kind: 'failed', error: message.failed };
    stage.emails.push({ nodeId: id, ...message });
    return message.skipped === undefined
      ? DONE
      : { kind: 'skipped', reason: message.skipped, ...(message.detail && { detail: message.detail }) };
  },
  act: (host, config) => host.send(config),
};
