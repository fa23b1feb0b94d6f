import type { z } from 'zod';
import type { SmtpSession } from '../../src/records/smtp-sessions';
import type { SmtpSession as WireSession } from './schemas';

const resultOf = ({ accepted, refused }: SmtpSession): z.input<typeof WireSession>['result'] => {
  if (accepted > 0) return refused > 0 ? 'partial' : 'accepted';
  return refused > 0 ? 'refused' : 'nothing';
};

export const toSmtpSession = (session: SmtpSession): z.input<typeof WireSession> => {
  const { _id, createdAt, endedAt, testMode, network, client, tls, keyPrefix, accepted, refused, emailIds, refusals } = session;
  return {
    ...{ sessionId: _id, startedAt: createdAt.toISOString(), endedAt: endedAt?.toISOString() ?? null, testMode, network, client, tls },
    ...{ key: keyPrefix, result: resultOf(session), accepted, refused, emailIds: [...emailIds], refusals: [...refusals] },
  };
};
