import { SMTPServer } from 'smtp-server';
import type {
  SMTPServerAddress,
  SMTPServerAuthentication,
  SMTPServerAuthenticationResponse,
  SMTPServerDataStream,
  SMTPServerOptions,
  SMTPServerSession,
} from 'smtp-server';
import { networkOf, normalizeAddress } from '../../../platform/addresses';
import { withinLimit } from '../../../platform/async';
import type { Core } from '../../../platform/core';
import { Windows } from '../../../platform/limits';
import { metrics } from '../../../platform/metrics';
import { contactIdFor } from '../../../audience/contacts';
import { suppressionsOfContacts } from '../../../records/suppressions';
import { KeyUses } from '../../../records/projects';
import { isSimulated } from '../../../rules/simulator';
import { submissionCertificate, NO_COMMANDS, Reception, commonOptions, logFailures } from '../common';
import { hostOf } from '../connections';
import { Refusal, TRY_LATER } from '../refusal';
import { addChunking } from './chunking';
import type { Chunking } from './chunking';
import { MESSAGE_BYTES, readSubmitted } from './message';
import { BAD_RECIPIENT, MUST_AUTHENTICATE, NOT_READY, SUPPRESSED, TOO_MANY_FAILURES, replyFor } from './refusals';
import { submit } from './submit';
import { Talk, senderBy } from './talk';
import type { Replying } from './talk';

const ASK_MS = 15_000;
const COUNTED_HOSTS = 50_000;

type Done = (error?: Error | null) => void;
type SignedIn = (error: Error | null, response?: SMTPServerAuthenticationResponse) => void;

/** A server that listens, and the setting that names its port. */
interface Listening {
  readonly variable: 'SUBMISSION_PORT' | 'SUBMISSION_TLS_PORT';
  readonly server: SMTPServer;
}

/**
 * The servers that programs hand mail in to: one with STARTTLS and one with TLS from the first byte, as far as they have a port. A message is answered with 250
 * when all of its e-mails are stored.
 */
export class SubmissionServers {
  private readonly talks = new Map<string, Talk>();
  private readonly connections: Reception;
  /** Wrong keys of each host within a minute. */
  private readonly failures: Windows;
  private readonly uses: KeyUses;
  private readonly endings = new Set<Promise<void>>();
  readonly listening: readonly Listening[];

  constructor(
    private readonly core: Core,
    /** Whether the database has been reached. */
    private readonly ready: () => boolean,
  ) {
    const { SUBMISSION_AUTH_FAILURES_PER_MINUTE: most, SUBMISSION_CONNECTIONS_PER_HOST, ...ports } = core.config;
    this.failures = new Windows({ most, windowMs: 60_000, keys: COUNTED_HOSTS });
    this.uses = new KeyUses(core.log);
    const variables = (['SUBMISSION_PORT', 'SUBMISSION_TLS_PORT'] as const).filter((variable) => ports[variable] !== undefined);
    this.listening = variables.length > 0 ? this.serversFor(variables) : [];
    const servers = this.listening.map(({ server }) => server);
    this.connections = new Reception(core, servers, {
      perHost: SUBMISSION_CONNECTIONS_PER_HOST,
      counts: { name: 'submission', open: metrics.submissionConnections, refused: metrics.submissionRefused },
      renew: () => this.readCertificate(),
    });
  }

  // Connections from now on see the certificate that is in its file now; where that cannot be read, the one before.
  readCertificate(): void {
    try {
      const { isOfFile, ...certificate } = submissionCertificate(this.core.config);
      if (isOfFile) for (const { server } of this.listening) server.updateSecureContext(certificate);
    } catch (error) {
      this.core.log.error({ err: error }, 'Cannot reload the certificate of SMTP submission');
    }
  }

  /** Stops accepting connections; resolves when every message that was being received is answered, and every session is recorded. */
  async close(): Promise<void> {
    await this.connections.close();
    await Promise.all(this.endings);
  }

  private serversFor(variables: readonly Listening['variable'][]): readonly Listening[] {
    const { isOfFile: _, ...certificate } = submissionCertificate(this.core.config);
    const options: SMTPServerOptions = {
      ...commonOptions(this.core.config),
      ...certificate,
      authMethods: ['PLAIN', 'LOGIN'],
      authRequiredMessage: MUST_AUTHENTICATE,
      disabledCommands: [...NO_COMMANDS],
      hideENHANCEDSTATUSCODES: false,
      size: MESSAGE_BYTES,
    };
    return variables.map((variable) => {
      const secure = variable === 'SUBMISSION_TLS_PORT';
      const server: SMTPServer = new SMTPServer({ ...options, secure, ...this.handlers(() => server) });
      logFailures(server, this.core, 'A connection of SMTP submission failed');
      return { variable, server };
    });
  }

  private handlers(server: () => SMTPServer): SMTPServerOptions {
    return {
      onConnect: (session, done) => {
        const talk = new Talk(this.core, session);
        for (const connection of server().connections as unknown as Set<Replying & Chunking>) {
          if (connection.session.id !== session.id) continue;
          talk.watch(connection);
          addChunking(connection);
        }
        this.talks.set(session.id, talk);
        this.connections.admit(session, done);
      },
      onClose: (session) => this.ended(session),
      onAuth: (auth, session, done) => {
        this.signIn(auth, session).then(
          (user) => done(null, { user }),
          (error: unknown) => (done as SignedIn)(this.refusalOf(error, NOT_READY)),
        );
      },
      onRcptTo: (address, session, done) => this.answer(done, () => this.checkRecipient(address, session)),
      onData: (stream, session, done) => this.take(stream, session, done),
    };
  }

  private ended(session: SMTPServerSession): void {
    this.connections.forget(session);
    const talk = this.talks.get(session.id);
    this.talks.delete(session.id);
    if (!talk) return;
    const ending = talk.end().finally(() => this.endings.delete(ending));
    this.endings.add(ending);
  }

  private talkOf({ id }: SMTPServerSession): Talk {
    const talk = this.talks.get(id);
    if (!talk) throw TRY_LATER;
    return talk;
  }

  /** Resolves to the name under which the connection is signed in. */
  private async signIn({ password }: SMTPServerAuthentication, session: SMTPServerSession): Promise<string> {
    const host = hostOf(session);
    if (this.failures.isSpent(host)) throw TOO_MANY_FAILURES;
    if (!this.ready()) throw NOT_READY;
    try {
      const sender = await withinLimit(ASK_MS, () => senderBy(this.core, this.uses, password ?? '', session.id));
      this.talkOf(session).signedIn(sender, password ?? '');
      return sender.keyPrefix;
    } catch (error) {
      if (error instanceof Refusal && error.responseCode === 535) this.failures.take(host);
      throw error;
    }
  }

  private async checkRecipient({ address }: SMTPServerAddress, session: SMTPServerSession): Promise<void> {
    const email = normalizeAddress(address);
    if (email === null) throw BAD_RECIPIENT;
    const { config } = this.core;
    if (!config.SUBMISSION_REFUSE_SUPPRESSED || isSimulated(email, config.PLATFORM_DOMAIN)) return;
    // The key is authorized again at the end of the message.
    const { projectId, project } = this.talkOf(session).owner.ctx;
    const contactId = contactIdFor(project, email);
    const known = await withinLimit(ASK_MS, () => suppressionsOfContacts(projectId, [contactId]));
    if (known.has(contactId)) throw SUPPRESSED;
  }

  private take(stream: SMTPServerDataStream, session: SMTPServerSession, done: (error?: Error | null, message?: string) => void): void {
    this.connections.occupied(session);
    const answered = (result: 'stored' | 'put_off' | 'refused'): void => {
      metrics.submissionMessages.inc({ result });
    };
    this.receive(stream, session)
      .then(
        (reply) => {
          answered('stored');
          done(null, reply);
        },
        (error: unknown) => {
          const refusal = this.refusalOf(error, TRY_LATER);
          answered(refusal.responseCode >= 500 ? 'refused' : 'put_off');
          done(refusal);
        },
      )
      .finally(() => this.connections.answered(session));
  }

  /** Resolves to the text of the 250. */
  private receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<string> {
    const recipients = session.envelope.rcptTo.flatMap(({ address }) => normalizeAddress(address) ?? []);
    return this.connections.take(stream, session, MESSAGE_BYTES, async (bytes) => {
      const talk = this.talkOf(session);
      const { ctx } = await senderBy(this.core, this.uses, talk.password, `${session.id}-${session.transaction}`);
      const submitted = await readSubmitted(this.core, bytes, networkOf(session.remoteAddress));
      const { emailIds, reply } = await submit(ctx, submitted, [...new Set(recipients)]);
      talk.stored(emailIds);
      return reply;
    });
  }

  private answer(done: Done, work: () => Promise<void>): void {
    work().then(
      () => done(),
      (error: unknown) => done(this.refusalOf(error, TRY_LATER)),
    );
  }

  private refusalOf(error: unknown, otherwise: Refusal): Refusal {
    const known = replyFor(error);
    if (known) return known;
    this.core.log.warn({ err: error }, 'Submitted mail was deferred');
    return otherwise;
  }
}
