import type { AddressInfo } from 'node:net';
import { createTransport } from 'nodemailer';
import type { Transporter } from 'nodemailer';
import { SubmissionServers } from '../../../src/processes/inbound-smtp/submission/server';
import { SmtpTalk } from '../calls/smtp-talk';
import { forTheFile } from '../run/for-the-file';
import type { TestApp } from './app';

/** The settings of an app that mail can be handed in to. */
export const SUBMISSION = { SUBMISSION_PORT: '0', SUBMISSION_TLS_PORT: '0', INBOUND_TLS_SELF_SIGNED: 'true' } as const;

/** The servers of SMTP submission in the process of a test, on the database of its app. */
export interface Submission {
  readonly port: number;
  readonly tlsPort: number;
  /** A mail program that signs in with a key. */
  program(key: string, options?: Readonly<Record<string, unknown>>): Transporter;
  /** A connection with TLS, signed in with a key. */
  signedIn(key: string): Promise<SmtpTalk>;
}

interface Running extends Submission {
  close(): Promise<void>;
}

const credentials = (key: string): string => Buffer.from(`\0anybody\0${key}`).toString('base64');

/** Begins TLS, and greets again. */
export async function secured(port: number): Promise<SmtpTalk> {
  const talk = await SmtpTalk.open(port);
  await talk.reply();
  await talk.say('EHLO program.test');
  if (!(await talk.say('STARTTLS')).startsWith('220')) throw new Error('TLS was not begun');
  await talk.secure();
  await talk.say('EHLO program.test');
  return talk;
}

/** The same, signed in with a key. */
export async function signedInAt(port: number, key: string): Promise<SmtpTalk> {
  const talk = await secured(port);
  const reply = await talk.say(`AUTH PLAIN ${credentials(key)}`);
  if (!reply.startsWith('235')) throw new Error(reply);
  return talk;
}

async function start({ core }: TestApp): Promise<Running> {
  const servers = new SubmissionServers(core, () => true);
  const ports = await Promise.all(
    servers.listening.map(
      ({ server }) =>
        new Promise<number>((resolve) => {
          const listening = server.listen(0, '127.0.0.1', () => resolve((listening.address() as AddressInfo).port));
        }),
    ),
  );
  const [port = 0, tlsPort = 0] = ports;
  const programs: Transporter[] = [];
  return {
    port,
    tlsPort,
    program: (key, options = {}) => {
      const program = createTransport({
        host: '127.0.0.1',
        port,
        requireTLS: true,
        tls: { rejectUnauthorized: false },
        auth: { user: 'anybody', pass: key },
        ...options,
      } as Parameters<typeof createTransport>[0]);
      programs.push(program);
      return program;
    },
    signedIn: (key) => signedInAt(port, key),
    close: async () => {
      for (const program of programs) program.close();
      await servers.close();
    },
  };
}

/** The submission servers of an app for the tests of a file. */
export const aSubmission = (app: TestApp): Submission =>
  forTheFile(
    () => start(app),
    (running) => running.close(),
  );

/** Hands a message in as it is written; resolves to the first reply that refuses, or to the last one. */
export async function handIn(talk: SmtpTalk, recipients: readonly string[], data: string | Buffer, parameters = ''): Promise<string> {
  const envelope = [`MAIL FROM:<program@hello.test>${parameters}`, ...recipients.map((recipient) => `RCPT TO:<${recipient}>`), 'DATA'];
  for (const command of envelope) {
    const reply = await talk.say(command);
    if (!/^(?:250|354)/.test(reply)) return reply;
  }
  talk.write(data);
  return talk.say('\r\n.');
}

/** Joins lines as they are sent. */
export const lines = (...text: readonly string[]): string => text.join('\r\n');
