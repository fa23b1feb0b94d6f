import net from 'node:net';

/**
 * The cheapest SMTP server that looks real to a client, in a process of its own: `node src/run.cjs bench/sink.ts <port> [delayMs] [watched]`. Prints
 * `listening <port>`, accepts everything `delayMs` after its final dot, answers `count` on stdin with the number of messages so far, prints `arrived <address>`
 * for each message to an address that begins with `watched`, and exits when stdin ends.
 */
const END_OF_DATA = Buffer.from('\r\n.\r\n');
const LF = 0x0a;

const [port = '0', delay = '0', watched = ''] = process.argv.slice(2);
let count = 0;

class SinkConnection {
  private rest: Buffer = Buffer.alloc(0);
  private inData = false;
  /** A message is not answered yet, and what the client sent after it waits. */
  private isBusy = false;
  private recipient = '';

  constructor(
    private readonly socket: net.Socket,
    private readonly delayMs: number,
  ) {
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.take(chunk)).on('error', () => socket.destroy());
    socket.write('220 sink ESMTP\r\n');
  }

  private take(chunk: Buffer): void {
    const input = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    let from = 0;
    let answer = '';
    while (from < input.length && !this.isBusy) {
      const next = this.inData ? this.endOfMessage(input, from) : input.indexOf(LF, from) + 1;
      if (next <= 0) break;
      answer += this.inData ? this.accept() : this.obey(input, from, next);
      from = next;
    }
    this.rest = this.inData ? input.subarray(Math.max(from, input.length - END_OF_DATA.length + 1)) : input.subarray(from);
    if (answer !== '') this.socket.write(answer);
  }

  private endOfMessage(input: Buffer, from: number): number {
    const found = input.indexOf(END_OF_DATA, from);
    return found === -1 ? -1 : found + END_OF_DATA.length;
  }

  private obey(input: Buffer, from: number, next: number): string {
    const verb = input.toString('latin1', from, Math.min(from + 4, next)).toUpperCase();
    if (verb === 'RCPT' && watched !== '') this.recipient = /<(.*)>/.exec(input.toString('latin1', from, next))?.[1] ?? '';
    return this.reply(verb);
  }

  private accept(): string {
    count++;
    if (watched !== '' && this.recipient.startsWith(watched)) process.stdout.write(`arrived ${this.recipient}\n`);
    this.inData = false;
    if (this.delayMs === 0) return '250 2.0.0 OK\r\n';
    this.isBusy = true;
    setTimeout(() => {
      this.isBusy = false;
      this.socket.write('250 2.0.0 OK\r\n');
      this.take(Buffer.alloc(0));
    }, this.delayMs);
    return '';
  }

  private reply(verb: string): string {
    if (verb === 'EHLO') return '250-sink\r\n250-PIPELINING\r\n250 ENHANCEDSTATUSCODES\r\n';
    if (verb === 'QUIT') {
      this.socket.end('221 2.0.0 bye\r\n');
      return '';
    }
    this.inData = verb === 'DATA';
    return this.inData ? '354 go ahead\r\n' : '250 2.0.0 OK\r\n';
  }
}

const server = net.createServer((socket) => new SinkConnection(socket, Number(delay)));
server.listen(Number(port), '127.0.0.1', () => process.stdout.write(`listening ${(server.address() as net.AddressInfo).port}\n`));

process.stdin.setEncoding('utf8');
process.stdin.on('data', (text: string) => {
  for (const line of text.split('\n')) if (line.trim() === 'count') process.stdout.write(`${count}\n`);
});
process.stdin.on('end', () => process.exit(0));
