import { PassThrough } from 'node:stream';
import type { SMTPServerDataStream } from 'smtp-server';
import { MailMemory } from '../../../../src/processes/inbound-smtp/receive-bytes';
import type { ReceivedBytes } from '../../../../src/processes/inbound-smtp/receive-bytes';

const MIB = 1_048_576;
const MOST = 25 * MIB;

/** A message that is being received. */
class Coming {
  private readonly stream = new PassThrough({ highWaterMark: MOST });
  readonly received: Promise<ReceivedBytes>;

  constructor(memory: MailMemory, network: string, keep = MOST) {
    this.received = memory.receive(Object.assign(this.stream, { sizeExceeded: false }) as unknown as SMTPServerDataStream, keep, network);
    this.received.catch(() => undefined);
  }

  async bytes(count: number): Promise<void> {
    for (let left = count; left > 0; left -= MIB) this.stream.write(Buffer.alloc(Math.min(left, MIB), 'x'));
    await new Promise(setImmediate);
    while (this.stream.readableLength > 0) await new Promise(setImmediate);
  }

  end(): Promise<ReceivedBytes> {
    this.stream.end();
    return this.received;
  }

  breakOff(): void {
    this.stream.destroy(new Error('gone'));
  }
}

test('what comes is put together, and of more than is wanted the beginning is kept', async () => {
  const memory = new MailMemory();
  const coming = new Coming(memory, 'a', 2 * MIB);
  await coming.bytes(3 * MIB + 5);
  const { bytes } = await coming.end();
  expect(bytes.equals(Buffer.alloc(2 * MIB, 'x'))).toBe(true);
});

test('a message that grows from small to large stays as it came', async () => {
  const stream = Object.assign(new PassThrough(), { sizeExceeded: false });
  const received = new MailMemory().receive(stream as unknown as SMTPServerDataStream, MOST, 'a');
  const pieces = Array.from({ length: 100 }, (_, n) => Buffer.alloc(5_000, n));
  for (const piece of pieces) stream.write(piece);
  stream.end();
  expect((await received).bytes.equals(Buffer.concat(pieces))).toBe(true);
});

test('memory is counted from the first byte: many messages that have only begun fill it', async () => {
  const memory = new MailMemory();
  const others = Array.from({ length: 80 }, (_, index) => new Coming(memory, `n${index}`));
  for (const other of others) await other.bytes(MIB);
  const results = await Promise.allSettled(others.map((other) => other.end()));
  expect(results.filter(({ status }) => status === 'rejected').length).toBeGreaterThanOrEqual(16);
  expect(memory.isTight).toBe(true);
});

test('small mail is taken while large mail fills what there is for it', async () => {
  const memory = new MailMemory();
  const large = ['a', 'b', 'c'].map((network) => new Coming(memory, network));
  for (const message of large) await message.bytes(21 * MIB);
  const refused = new Coming(memory, 'd');
  await refused.bytes(2 * MIB);
  await expect(refused.end()).rejects.toMatchObject({ responseCode: 452 });
  const small = new Coming(memory, 'd');
  await small.bytes(MIB / 8);
  expect((await small.end()).bytes).toHaveLength(MIB / 8);
});

test('while memory is short, a network has one large message at a time', async () => {
  const memory = new MailMemory();
  const [first, second, other] = [new Coming(memory, 'a'), new Coming(memory, 'a'), new Coming(memory, 'b')];
  await first.bytes(24 * MIB);
  await second.bytes(20 * MIB);
  await other.bytes(20 * MIB);
  await expect(second.end()).rejects.toMatchObject({ responseCode: 452 });
  expect((await other.end()).bytes).toHaveLength(20 * MIB);
});

test('what is released, refused or broken off makes room', async () => {
  const memory = new MailMemory();
  for (let round = 0; round < 3; round++) {
    const [taken, broken] = [new Coming(memory, 'a'), new Coming(memory, 'b')];
    await taken.bytes(24 * MIB);
    await broken.bytes(24 * MIB);
    expect(memory.isTight).toBe(true);
    (await taken.end()).release();
    broken.breakOff();
    await expect(broken.received).rejects.toThrow('gone');
    expect(memory.isTight).toBe(false);
  }
});
