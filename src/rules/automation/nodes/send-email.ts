import { DONE, doneOrSkipped } from '../node';
import type { Act, ActingNode } from '../node';
import { worldOf } from '../stage';

type Json = Readonly<Record<string, unknown>>;

export interface InlineMessage {
  readonly subject: string;
  readonly body: string;
  readonly fromEmail: string;
  readonly fromName?: string | undefined;
  readonly previewText?: string | undefined;
  readonly replyTo?: string | undefined;
  readonly type: 'transactional' | 'marketing';
  readonly variables?: Json | undefined;
}

export interface StoredMessage {
  readonly templateId: string;
  readonly variables?: Json | undefined;
}

/** Sends a message to the contact. */
export const sendEmail: ActingNode<StoredMessage | InlineMessage, Act<'sendEmail'>> = {
  sends: true,
  references: (config, path) =>
    'templateId' in config
      ? { templateIds: [{ id: config.templateId, path: `${path}.templateId` }] }
      : { fromEmails: [{ email: config.fromEmail, path: `${path}.fromEmail` }] },
  rendered(config) {
    if ('templateId' in config) return null;
    const { subject, body, previewText } = config;
    return { subject, body, previewText };
  },
  effect: ({ id }) => ({ kind: 'sendEmail', nodeId: id }),
  outcome: (_node, _state, input) => doneOrSkipped(input),
  async rehearse(stage, { id, config }) {
    const message = await stage.ports.render(config, worldOf(stage));
    if ('failed' in message) return { kind: 'failed', error: message.failed };
    stage.emails.push({ nodeId: id, at: stage.now, ...message });
    return message.skipped === undefined ? DONE : { kind: 'skipped', reason: message.skipped };
  },
  act: (host, config) => host.send(config),
};
