import { SMTPServer } from 'smtp-server';
import type { SMTPServerAddress, SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import { networkOf } from '../../platform/addresses';
import type { Core } from '../../platform/core';
import { Windows } from '../../platform/limits';
import { metrics } from '../../platform/metrics';
import { withinLimit } from '../../platform/async';
import { NO_COMMANDS, Reception, commonOptions, logFailures, inboundCertificate } from './common';
import { hostOf } from './connections';
import { examinerOf } from './examiner';
import { takesMail, takeInbound, takeDomainReports } from './inbound';
import { NO_SUCH_USER, OVER_LIMIT, Refusal, TOO_FAST, TRY_LATER, LOOPING } from './refusal';
import { destinationOf } from './route';
import type { Destination } from './route';
import type { Authentication } from '../../rules/authentication';
import { leaveByMail } from '../../sending/tracking';
import { authenticationOf } from './authenticate';
import type { Origin } from './authenticate';
import type { Examined } from './examine';
import { isLooping } from './mail';
import { takeBounce } from './bounce';
import { isFeedbackReport, takeComplaint } from './complaint';

const MESSAGE_BYTES = 25 * 1_048_576;
const ROUTE_MS = 15_000;

const STORED = '2.0.0 Stored';

function resultOf(error?: Error | null): 'stored' | 'put_off' | 'refused' {
  if (!error) return 'stored';
  return error instanceof Refusal && error.responseCode >= 500 ? 'refused' : 'put_off';
}

type Done = (error?: Error | null) => void;

/**
 * The server that other mail hosts talk to. It takes mail for recipients that are known here and relays none; a message is answered with 250 when what it
 * brings is stored, with 4xx when that cannot be done now, so that its sender keeps it.
 */
export class InboundServer {
  private readonly destinations = new WeakMap<SMTPServerAddress, Destination>();
  private readonly connections: Reception;
  /** Messages that each sending host has begun with this process within a minute. */
  private readonly rates: Windows;
  readonly server: SMTPServer;

  constructor(
    private readonly core: Core,
    /** Whether the database has been reached. */
    private readonly ready: () => boolean,
  ) {
    const { INBOUND_CONNECTIONS_PER_HOST, INBOUND_MESSAGES_PER_MINUTE } = core.config;
    const certificate = inboundCertificate(core.config);
    this.rates = new Windows({ most: INBOUND_MESSAGES_PER_MINUTE || Infinity, windowMs: 60_000, keys: 50_000 });
    this.server = new SMTPServer({
      ...commonOptions(core.config),
      ...certificate,
      disabledCommands: [...NO_COMMANDS, 'AUTH', ...(certificate ? [] : ['STARTTLS'])],
      size: MESSAGE_BYTES,
      onConnect: (session, done) => this.connections.admit(session, done),
      onClose: (session) => this.connections.forget(session),
      onMailFrom: (_address, session, done) => done(this.rates.take(hostOf(session)) ? null : TOO_FAST),
      onRcptTo: (address, _session, done) => this.answer(done, () => this.route(address)),
      onData: (stream, session, done) => {
        this.connections.occupied(session);
        const answered: Done = (error) => {
          metrics.inboundMessages.inc({ result: resultOf(error) });
          done(error, STORED);
          this.connections.answered(session);
        };
        this.answer(answered, () => this.receive(stream, session));
      },
    });
    this.connections = new Reception(core, [this.server], {
      perHost: INBOUND_CONNECTIONS_PER_HOST,
      counts: { name: 'inbound', open: metrics.inboundConnections, refused: metrics.inboundRefused },
      renew: () => this.readCertificate(),
    });
    logFailures(this.server, core, 'An inbound connection failed');
  }

  // Connections from now on see the certificate that is in its file now; where that cannot be read, the one before.
  readCertificate(): void {
    try {
      const certificate = this.core.config.INBOUND_TLS_CERT === undefined ? null : inboundCertificate(this.core.config);
      if (certificate) this.server.updateSecureContext(certificate);
    } catch (error) {
      this.core.log.error({ err: error }, 'Cannot reload the inbound SMTP certificate');
    }
  }

  /** Stops accepting connections; resolves when every message that was being received is answered, and `others` who examine mail in this process are done. */
  async close(others: Promise<void> = Promise.resolve()): Promise<void> {
    await Promise.all([this.connections.close(), others]);
    await examinerOf(this.core).end();
  }

  private answer(done: Done, work: () => Promise<void>): void {
    work().then(
      () => done(),
      (error: unknown) => done(this.refusalOf(error)),
    );
  }

  private refusalOf(error: unknown): Refusal {
    if (error instanceof Refusal) return error;
    this.core.log.warn({ err: error }, 'Inbound mail was deferred');
    return TRY_LATER;
  }

  private async route(address: SMTPServerAddress): Promise<void> {
    if (!this.ready()) throw TRY_LATER;
    this.destinations.set(address, await withinLimit(ROUTE_MS, () => this.destinationOf(address)));
  }

  private async destinationOf({ address }: SMTPServerAddress): Promise<Destination> {
    const destination = await destinationOf(this.core, address);
    if (!destination) throw NO_SUCH_USER;
    if (destination.kind === 'inbound' && !(await takesMail(this.core, destination.projectId))) throw OVER_LIMIT;
    return destination;
  }

  private receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const { envelope } = session;
    const destinations = envelope.rcptTo.flatMap((address) => this.destinations.get(address) ?? []);
    const isWhole = destinations.some(({ kind }) => kind === 'inbound' || kind === 'domain_report');
    const envelopeFrom = envelope.mailFrom ? envelope.mailFrom.address : '';
    const host = { address: session.remoteAddress, helo: session.hostNameAppearsAs };
    return this.connections.take(stream, session, isWhole ? MESSAGE_BYTES : REPORT_BYTES, (bytes) =>
      takeMessage(this.core, { destinations, envelopeFrom, bytes, host }),
    );
  }
}

/**
 * Limit for the kept part of a message that goes to no project: reports begin with their findings, and end with the message that they
 * report.
 */
const REPORT_BYTES = 1_048_576;

/** A message, and who of this platform it is for. */
interface Delivery extends Origin {
  readonly destinations: readonly Destination[];
  /** The whole message when one of the destinations is a project's, or takes reports on domains. */
  readonly bytes: Buffer;
}

/**
 * Does what a message asks for at each of its recipients, each in a transaction of its own, and returns when all of it is stored. When one of them fails, the
 * sender comes again with the whole message, and what is done already is not done twice. Throws a refusal.
 */
async function takeMessage(core: Core, { destinations, ...given }: Delivery, at = new Date()): Promise<void> {
  const failures: unknown[] = [];
  // The address decides, not the message.
  for (const { emailId } of destinations.filter(isUnsubscribe)) {
    await leaveByMail(core, emailId, 'mailto', at).catch((error: unknown) => failures.push(error));
  }
  const others = destinations.filter((destination) => !isUnsubscribe(destination) && destination.kind !== 'domain_report');
  if (destinations.some(({ kind }) => kind === 'domain_report')) {
    // The examination takes the bytes.
    const own = others.length > 0 ? Buffer.from(given.bytes) : given.bytes;
    await takeDomainReports(core, own, { ...given, at }).catch((error: unknown) => failures.push(error));
  }
  if (others.length > 0) failures.push(...(await takeMail(core, others, { ...given, at })));
  if (failures.length > 0) throw failures[0];
}

const isUnsubscribe = (destination: Destination): destination is Extract<Destination, { kind: 'unsubscribe' }> =>
  destination.kind === 'unsubscribe';

type Taken = Omit<Delivery, 'destinations'> & { readonly at: Date };

type Given = Omit<Taken, 'bytes'>;

/** A message that was taken apart, with what is known of where it came from, where a project is to get it. */
type Read = Given & Pick<Examined, 'mail' | 'fingerprint'> & { readonly authentication: Authentication | null };

const isInbound = ({ kind }: Destination): boolean => kind === 'inbound';

/** Resolves to what went wrong. */
async function takeMail(core: Core, destinations: readonly Destination[], { bytes, ...given }: Taken): Promise<readonly unknown[]> {
  const isInboundMail = destinations.some(isInbound);
  const wanted = { keepBytes: isInboundMail ? core.config.INBOUND_ATTACHMENT_BYTES : 0, claims: isInboundMail };
  const { mail, fingerprint, claims } = await examinerOf(core).examine(bytes, wanted, networkOf(given.host.address));
  if (isLooping(mail)) throw LOOPING;
  const read = {
    ...given,
    mail,
    fingerprint,
    authentication: isInboundMail ? await authenticationOf(core, { mail, claims }, given) : null,
  };
  const failures: unknown[] = [];
  for (const destination of destinations) {
    await takeAt(core, destination, read).catch((error: unknown) => failures.push(error));
  }
  return failures;
}

async function takeAt(core: Core, destination: Destination, read: Read): Promise<void> {
  const { mail, envelopeFrom, at } = read;
  if (destination.kind === 'bounce') await takeBounce(core, destination.emailId, mail, envelopeFrom, at);
  if (destination.kind === 'feedback') await takeComplaint(core, mail, null, at);
  if (destination.kind === 'inbound') {
    await takeInbound(core, destination.projectId, destination.to, read);
    if (isFeedbackReport(mail)) await takeComplaint(core, mail, null, at);
  }
}
