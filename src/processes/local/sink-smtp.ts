import { SMTPServer } from 'smtp-server';
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import type { MailStore } from './sink-store';

const LARGEST_MAIL_BYTES = 64 * 1024 * 1024;

const tooLarge = (): Error => Object.assign(new Error('5.3.4 The message is too large'), { responseCode: 552 });

async function take(store: MailStore, stream: SMTPServerDataStream, { envelope }: SMTPServerSession): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) if (!stream.sizeExceeded) chunks.push(chunk as Buffer);
  if (stream.sizeExceeded) throw tooLarge();
  const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
  await store.add(
    from,
    envelope.rcptTo.map(({ address }) => address),
    Buffer.concat(chunks),
  );
}

/** Returns an SMTP server for loopback that takes every message at once and gives it to the store. */
export const createSinkSmtp = (store: MailStore): SMTPServer =>
  new SMTPServer({
    name: 'sink.localhost',
    banner: 'Lettermill sink',
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    hideSize: false,
    size: LARGEST_MAIL_BYTES,
    closeTimeout: 2_000,
    onData: (stream, session, done) => {
      take(store, stream, session).then(() => done(), done);
    },
  });
