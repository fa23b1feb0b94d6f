import type { SMTPServer, SMTPServerSession } from 'smtp-server';
import { metrics } from '../../../../src/platform/metrics';
import { Connections } from '../../../../src/processes/inbound-smtp/connections';

interface Connected {
  readonly session: SMTPServerSession;
  readonly _socket: { bytesRead: number };
  readonly said: string[];
  send(code: number, text: string): void;
  close(): void;
}

let isShort = false;

/** Connections of a server that is nowhere. */
function aServer() {
  const open = new Set<Connected>();
  const connections = new Connections([{ connections: open } as unknown as SMTPServer], 100, () => isShort, {
    name: 'inbound',
    open: metrics.inboundConnections,
    refused: metrics.inboundRefused,
  });
  const connect = (remoteAddress: string): Connected | null => {
    const session = { id: String(open.size), remoteAddress } as SMTPServerSession;
    let refusal: Error | null = null;
    connections.admit(session, (error) => (refusal = error ?? null));
    if (refusal) return null;
    const said: string[] = [];
    const connection: Connected = {
      session,
      said,
      _socket: { bytesRead: 0 },
      send: (code, text) => void said.push(`${code} ${text}`),
      close: () => connections.forget(session),
    };
    open.add(connection);
    return connection;
  };
  return { connections, connect };
}

beforeEach(() => {
  isShort = false;
  jest.useFakeTimers();
});
afterEach(() => jest.useRealTimers());

const distinct = (index: number): string => `10.0.${index >> 8}.${index & 255}`;

test('in a crowd each network has one new connection', () => {
  const { connect } = aServer();
  for (let index = 0; index < 250; index++) expect(connect(index < 90 ? '192.0.2.1' : distinct(index))).not.toBeNull();
  expect(connect('192.0.2.1')).toBeNull();
  expect(connect('192.0.2.2')).not.toBeNull();
  expect(connect('192.0.2.2')).toBeNull();
  expect(connect('2001:db8:1:1::1')).not.toBeNull();
  expect(connect('2001:db8:1:2::1')).toBeNull();
  expect(connect('2001:db8:2:1::1')).not.toBeNull();
  expect(connect(`::ffff:${distinct(200)}`)).toBeNull();
});

test('while memory is short too', () => {
  const { connect } = aServer();
  expect(connect('192.0.2.1')).not.toBeNull();
  expect(connect('192.0.2.1')).not.toBeNull();
  isShort = true;
  expect(connect('192.0.2.1')).toBeNull();
  expect(connect('192.0.2.2')).not.toBeNull();
});

test('then who is silent goes; who speaks, or waits for an answer, stays', () => {
  const { connections, connect } = aServer();
  const [silent, dripping, speaking, waiting] = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'].map((address) => connect(address)!);
  const pass = (seconds: number): void => {
    for (let second = 0; second < seconds; second += 5) {
      dripping!._socket.bytesRead += 5;
      speaking!._socket.bytesRead += 500;
      jest.advanceTimersByTime(5_000);
    }
  };
  connections.received(waiting!.session);
  pass(60);
  expect([silent, dripping, speaking, waiting].map((connection) => connection!.said)).toEqual([[], [], [], []]);
  isShort = true;
  pass(20);
  expect([silent, dripping, speaking, waiting].map((connection) => connection!.said.length > 0)).toEqual([true, true, false, false]);
  expect(silent!.said[0]).toMatch(/^421 /);
});
