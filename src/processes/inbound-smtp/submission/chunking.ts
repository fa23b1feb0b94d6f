import { PassThrough } from 'node:stream';
import type { SMTPServer, SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import { MESSAGE_BYTES } from './message';
import { MUST_AUTHENTICATE } from './refusals';

/** The members of the library's connection that are used: the library has no BDAT (RFC 3030), and no place to add a command. */
export interface Chunking {
  readonly session: SMTPServerSession;
  readonly _server: Pick<SMTPServer, 'onData'>;
  readonly _parser: Parser | false;
  _dataStream: SMTPServerDataStream | null;
  _transactionCounter: number;
  _resetSession(): void;
  send(code: number, text: string | readonly string[], context?: unknown): void;
  handler_BDAT: Handler;
  handler_MAIL: Handler;
  handler_RCPT: Handler;
  handler_DATA: Handler;
  handler_RSET: Handler;
  handler_EHLO: Handler;
  handler_HELO: Handler;
}

interface Parser {
  /** Whether what comes is content, and no command. */
  _dataMode: boolean;
  _feedDataStream(bytes: Buffer, done: Done): void;
  _write(bytes: Buffer, encoding: 'buffer', done: Done): void;
}

type Done = (error?: Error) => void;
type Handler = (command: Buffer, done: () => void) => void;

/** A message of which chunks have come. */
interface Incoming {
  readonly stream: SMTPServerDataStream;
  /** The reply to its last chunk. */
  readonly answer: Promise<Answer>;
}

type Answer = readonly [code: number, text: string, context?: string];

const COMMAND = /^BDAT (\d{1,10})( LAST)?[ \t]*$/i;

/** Offers CHUNKING on a connection: adds the command BDAT, whose chunks are one message for `onData`. */
export function addChunking(connection: Chunking): void {
  const chunks = new Chunks(connection);
  connection.handler_BDAT = (command, done) => chunks.begin(command.toString(), done);
  for (const name of ['handler_MAIL', 'handler_RCPT', 'handler_DATA'] as const) {
    const handle = connection[name].bind(connection);
    connection[name] = (command, done) => (chunks.isOpen ? chunks.refuse(done) : handle(command, done));
  }
  for (const name of ['handler_RSET', 'handler_EHLO', 'handler_HELO'] as const) {
    const handle = connection[name].bind(connection);
    connection[name] = (command, done) => {
      chunks.drop();
      handle(command, done);
    };
  }
}

/** The chunks of a connection. The length of each is announced, so nothing in them is checked: no dot ends them, and no line. */
class Chunks {
  private message: Incoming | null = null;

  constructor(private readonly connection: Chunking) {}

  get isOpen(): boolean {
    return this.message !== null;
  }

  refuse(done: () => void): void {
    this.connection.send(503, '5.5.1 The last chunk of the message is missing');
    done();
  }

  /** Ends the message that is under way, if there is one: its program has given it up. */
  drop(): void {
    if (!this.message) return;
    this.message.stream.destroy();
    this.message = null;
    this.connection._dataStream = null;
  }

  /** Takes the command, then as many bytes as it announces. They are read even if they are of no use, as they are no commands. */
  begin(command: string, done: () => void): void {
    const { connection } = this;
    const [, digits, last] = COMMAND.exec(command.trimEnd()) ?? [];
    const parser = connection._parser;
    // What comes after it would be run as commands.
    if (digits === undefined || !parser) return connection.send(421, '4.5.4 BDAT needs the number of bytes');
    const refusal = this.refusal();
    const message = refusal ? null : (this.message ??= this.open());
    const length = Number(digits);
    const end = (resume: () => void): void => {
      if (!message) this.reply(refusal ?? OUT_OF_ORDER, resume);
      else if (last) this.finish(message, resume);
      else this.reply([250, `2.0.0 ${length} bytes received`], resume);
    };
    if (length === 0) return end(done);
    take(parser, length, message, end);
    done();
  }

  private refusal(): Answer | null {
    const { session } = this.connection;
    if (!session.user) return [530, MUST_AUTHENTICATE];
    return session.envelope.rcptTo.length > 0 ? null : OUT_OF_ORDER;
  }

  private open(): Incoming {
    const { connection } = this;
    const stream: SMTPServerDataStream = Object.assign(new PassThrough(), { byteLength: 0, sizeExceeded: false });
    connection._dataStream = stream;
    const answer = new Promise<Answer>((resolve) => {
      connection._server.onData(stream, connection.session, (error, text) => {
        if (error) resolve([(error as { readonly responseCode?: number }).responseCode ?? 450, error.message]);
        else resolve([250, String(text), 'DATA_OK']);
      });
    });
    return { stream, answer };
  }

  private finish({ stream, answer }: Incoming, resume: () => void): void {
    this.message = null;
    stream.end();
    void answer.then((said) => {
      this.connection._dataStream = null;
      this.connection._transactionCounter++;
      this.connection._resetSession();
      this.reply(said, resume);
    });
  }

  private reply([code, text, context]: Answer, resume: () => void): void {
    this.connection.send(code, text, context);
    resume();
  }
}

const OUT_OF_ORDER: Answer = [503, '5.5.1 BDAT needs a recipient before it'];

/** Takes the next bytes of a connection into a message, or for nothing; then calls `end` with a function that reads the commands after them. */
function take(parser: Parser, length: number, message: Incoming | null, end: (resume: () => void) => void): void {
  let left = length;
  parser._dataMode = true;
  parser._feedDataStream = (bytes, done) => {
    const part = bytes.subarray(0, left);
    left -= part.length;
    written(message?.stream, part, () => {
      if (left > 0) return done();
      Reflect.deleteProperty(parser, '_feedDataStream');
      parser._dataMode = false;
      // Not at once: many small chunks in one packet would be as many calls within each other.
      end(() => setImmediate(() => parser._write(bytes.subarray(part.length), 'buffer', done)));
    });
  };
}

/** Writes to a stream, if it is wanted and there. Calls back when it takes more. */
function written(stream: SMTPServerDataStream | undefined, bytes: Buffer, done: () => void): void {
  if (!stream || stream.destroyed) return done();
  stream.byteLength += bytes.length;
  stream.sizeExceeded = stream.byteLength > MESSAGE_BYTES;
  if (stream.write(bytes)) return done();
  const more = (): void => {
    stream.off('drain', more).off('close', more);
    done();
  };
  stream.once('drain', more).once('close', more);
}
