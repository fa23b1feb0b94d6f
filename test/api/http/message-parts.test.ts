import { startEchoApi } from '../../support/calls/echo';
import type { EchoApi, Fault } from '../../support/calls/echo';

let echo: EchoApi;

beforeAll(async () => {
  echo = await startEchoApi();
});
afterAll(() => echo.close());

const MESSAGE = { to: 'ada@example.com', subject: 'Hello', text: 'Hello' };
const send = (more: object): Promise<Fault[]> => echo.faultsOf('/v1/send', { ...MESSAGE, ...more });

describe('a message', () => {
  test.each<[string, unknown, string | null]>([
    ['X-Campaign', 'autumn', null],
    ['x-campaign', '', null],
    ['X-Campaign', 7, 'invalid_type'],
    ['X-Campaign', 'a\r\nBcc: x@example.com', 'invalid_header'],
    ['X-Campaign', 'a\nb', 'invalid_header'],
    ['X-Campaign', 'a\0b', 'invalid_header'],
    ['X-Campaign', 'a'.repeat(998), null],
    ['X-Campaign', 'a'.repeat(999), 'invalid_header'],
    ['X Campaign', 'a', 'invalid_header'],
    ['X:Campaign', 'a', 'invalid_header'],
    ['X\r\nBcc', 'a', 'invalid_header'],
    ['', 'a', 'invalid_header'],
    ['a'.repeat(77), 'a', 'invalid_header'],
    ...[
      'From To Cc BCC Sender subject Date Message-ID Reply-To Return-Path Received DKIM-Signature ARC-Seal Authentication-Results MIME-Version',
      'Content-Type content-disposition List-Unsubscribe List-Unsubscribe-Post Resent-To Feedback-ID Auto-Submitted Delivered-To Errors-To',
      'Disposition-Notification-To X-Lettermill-Id',
    ]
      .join(' ')
      .split(' ')
      .map((name): [string, string, string] => [name, 'a', 'invalid_header']),
  ])('with the header %j: %j', async (name, value, code) => {
    expect(await send({ headers: { [name]: value } })).toEqual(code === null ? [] : [[`headers.${name}`, code]]);
  });

  test('with 50 headers, and no more', async () => {
    const headers = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`X-${index}`, 'a']));
    expect(await send({ headers: headers(50) })).toEqual([]);
    expect(await send({ headers: headers(51) })).toEqual([['headers', 'too_big']]);
    expect(await send({ headers: [] })).toEqual([['headers', 'invalid_type']]);
  });

  const FILE = { filename: 'a.txt', content: 'aGVsbG8=' };

  test.each<[object, Fault[]]>([
    [{}, []],
    [{ contentType: 'text/plain' }, []],
    [{ content: '' }, []],
    [{ content: 'aGVsbG8' }, []],
    [{ content: 'aGVs bG8=' }, []],
    [{ content: 'aGVsbG8_' }, [['content', 'invalid_string']]],
    [{ content: '====' }, [['content', 'invalid_string']]],
    [{ content: 1 }, [['content', 'invalid_type']]],
    [{ filename: '' }, [['filename', 'too_small']]],
    [{ filename: 'a'.repeat(256) }, [['filename', 'too_big']]],
    [{ filename: '../../etc/passwd' }, [['filename', 'invalid_string']]],
    [{ filename: 'a\\b' }, [['filename', 'invalid_string']]],
    [{ filename: 'a\r\nContent-Type: text/html' }, [['filename', 'invalid_string']]],
    [
      { filename: undefined, content: undefined },
      [
        ['filename', 'invalid_type'],
        ['content', 'invalid_type'],
      ],
    ],
    [{ contentType: 'text' }, [['contentType', 'invalid_string']]],
    [{ contentType: 'text/plain\r\nX: y' }, [['contentType', 'invalid_string']]],
    [{ path: '/etc/passwd' }, [['path', 'unrecognized_keys']]],
  ])('with the attachment %j', async (more, faults) => {
    const expected = faults.map(([path, code]) => [`attachments.0.${path}`, code]);
    expect(await send({ attachments: [{ ...FILE, ...more }] })).toEqual(expected);
  });

  test('with ten attachments, and no more', async () => {
    expect(await send({ attachments: Array.from({ length: 10 }, () => FILE) })).toEqual([]);
    expect(await send({ attachments: Array.from({ length: 11 }, () => FILE) })).toEqual([['attachments', 'too_big']]);
  });
});

describe('a batch', () => {
  test('names the message of each fault', async () => {
    const messages = [MESSAGE, { ...MESSAGE, foo: 1 }, { ...MESSAGE, to: 'nonsense' }, 7];
    expect(await echo.faultsOf('/v1/send/batch', { messages })).toEqual([
      ['messages.1.foo', 'unrecognized_keys'],
      ['messages.2.to', 'invalid_string'],
      ['messages.3', 'invalid_type'],
    ]);
  });

  test('holds 1 to 1,000 messages', async () => {
    const of = (length: number) => echo.faultsOf('/v1/send/batch', { messages: Array.from({ length }, () => MESSAGE) });
    expect(await of(1_000)).toEqual([]);
    expect(await of(1_001)).toEqual([['messages', 'too_big']]);
    expect(await of(0)).toEqual([['messages', 'too_small']]);
    expect(await echo.faultsOf('/v1/send/batch', {})).toEqual([['messages', 'invalid_type']]);
    expect(await echo.faultsOf('/v1/send/batch', { messages: {} })).toEqual([['messages', 'invalid_type']]);
  });

  test('lists at most 1,000 faults', async () => {
    const messages = Array.from({ length: 1_000 }, () => ({ a: 1, b: 2, c: 3 }));
    expect(await echo.faultsOf('/v1/send/batch', { messages })).toHaveLength(1_000);
  });
});
