import type { AddressInfo } from 'node:net';
import { InboundServer } from '../../../src/processes/inbound-smtp/server';
import { bounceAddress, unsubscribeAddress } from '../../../src/records/emails/urls';
import type { TestApp } from './app';
import { forTheFile } from '../run/for-the-file';
import { deliver } from '../calls/smtp-talk';
import type { Delivered, Letter } from '../calls/smtp-talk';

/** The inbound SMTP server in the process of a test, on the database of its app. */
export interface InboundSmtp {
  readonly port: number;
  readonly inbound: InboundServer;
  deliver(letter: Letter): Promise<Delivered>;
  /** Hands something in to the envelope sender of a message; resolves to the reply. */
  toBounce(emailId: string, data: string, from?: string): Promise<string | null>;
  toUnsubscribe(emailId: string, data?: string): Promise<string | null>;
}

/** The envelope sender of a message, at the platform's bounce domain. */
export const envelopeSenderOf = (core: Parameters<typeof bounceAddress>[0], emailId: string): string =>
  bounceAddress(core, { _id: emailId, bounceDomain: undefined });

export async function startInboundSmtp({ core }: Pick<TestApp, 'core'>, ready = () => true, address = '127.0.0.1'): Promise<InboundSmtp> {
  const inbound = new InboundServer(core, ready);
  const port = await new Promise<number>((resolve) => {
    const listening = inbound.server.listen(0, address, () => resolve((listening.address() as AddressInfo).port));
  });
  const only = async (letter: Letter): Promise<string | null> => {
    const { recipients, data } = await deliver(port, letter);
    return data ?? recipients[0] ?? null;
  };
  return {
    port,
    inbound,
    deliver: (letter) => deliver(port, letter),
    toBounce: (emailId, data, from = '') => only({ from, to: envelopeSenderOf(core, emailId), data }),
    toUnsubscribe: (emailId, data = 'Subject: unsubscribe\n\n') =>
      only({ from: 'ada@example.com', to: unsubscribeAddress(core, emailId), data }),
  };
}

/** The inbound SMTP server of an app for the tests of a file. */
export const anInboundServer = (app: TestApp, ready = () => true): InboundSmtp =>
  forTheFile(
    () => startInboundSmtp(app, ready),
    ({ inbound }) => inbound.close(),
  );
