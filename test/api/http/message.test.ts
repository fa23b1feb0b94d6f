import { startEchoApi } from '../../support/calls/echo';
import type { EchoApi, Fault } from '../../support/calls/echo';

let echo: EchoApi;

beforeAll(async () => {
  echo = await startEchoApi();
});
afterAll(() => echo.close());

const DAY_MS = 86_400_000;
const inFuture = (ms: number): string => new Date(Date.now() + ms).toISOString();
const MESSAGE = { to: 'ada@example.com', subject: 'Hello', text: 'Hello' };
const send = (more: object): Promise<Fault[]> => echo.faultsOf('/v1/send', { ...MESSAGE, ...more });

describe('a message', () => {
  test('reaches the core with every member there', async () => {
    expect(await echo.echoed('/v1/send', MESSAGE)).toEqual({
      to: [{ email: 'ada@example.com', name: null }],
      cc: null,
      bcc: null,
      toMany: false,
      subject: 'Hello',
      html: null,
      text: 'Hello',
      templateId: null,
      variables: {},
      from: null,
      fromName: null,
      replyTo: null,
      replyToName: null,
      headers: null,
      attachments: [],
      sendAt: null,
      createContact: true,
      retainContent: true,
      tags: null,
      tracking: null,
      type: null,
    });
  });

  test('has its addresses in their stored form, and its recipients in order', async () => {
    const to = ['ADA@Example.com', { email: 'grace@BÜCHER.example', name: 'Grace Hopper' }];
    const message = await echo.echoed('/v1/send', { ...MESSAGE, to, from: 'Hello@Example.com', replyTo: 'R@Example.com' });
    expect(message).toMatchObject({
      to: [
        { email: 'ada@example.com', name: null },
        { email: 'grace@xn--bcher-kva.example', name: 'Grace Hopper' },
      ],
      toMany: true,
      from: 'hello@example.com',
      replyTo: 'r@example.com',
    });
  });

  test('has names beside its addresses, in one text', async () => {
    const to = ['Ada Lovelace <ADA@Example.com>', '"Hopper, Grace" <grace@example.com>'];
    const message = await echo.echoed('/v1/send', {
      ...MESSAGE,
      to,
      from: 'Zoë <us@example.com>',
      replyTo: 'Help Desk <help@example.com>',
    });
    expect(message).toMatchObject({
      to: [
        { email: 'ada@example.com', name: 'Ada Lovelace' },
        { email: 'grace@example.com', name: 'Hopper, Grace' },
      ],
      from: 'us@example.com',
      fromName: 'Zoë',
      replyTo: 'help@example.com',
      replyToName: 'Help Desk',
    });
  });

  test.each<[unknown, Fault[]]>([
    [undefined, [['to', 'invalid_type']]],
    [null, [['to', 'invalid_type']]],
    [7, [['to', 'invalid_type']]],
    ['', [['to', 'invalid_string']]],
    ['nonsense', [['to', 'invalid_string']]],
    ['Ada <ada@example.com', [['to', 'invalid_string']]],
    ['Ada <ada@example.com>, Bob <bob@example.com>', [['to', 'invalid_string']]],
    ['Lovelace, Ada <ada@example.com>', [['to', 'invalid_string']]],
    ['Ada\r\nBcc: x@example.com <ada@example.com>', [['to', 'invalid_string']]],
    [{ email: 'Ada <ada@example.com>' }, [['to.email', 'invalid_string']]],
    ['ada@example.com, grace@example.com', [['to', 'invalid_string']]],
    ['ada@example.com\r\nBcc: grace@example.com', [['to', 'invalid_string']]],
    [`${'a'.repeat(250)}@example.com`, [['to', 'too_big']]],
    [{}, [['to.email', 'invalid_type']]],
    [{ email: 'nonsense' }, [['to.email', 'invalid_string']]],
    [{ email: 'ada@example.com', name: 1 }, [['to.name', 'invalid_type']]],
    [{ email: 'ada@example.com', name: 'Ada\nBcc: x' }, [['to.name', 'invalid_string']]],
    [{ email: 'ada@example.com', name: 'a'.repeat(201) }, [['to.name', 'too_big']]],
    [{ email: 'ada@example.com', nickname: 'a' }, [['to.nickname', 'unrecognized_keys']]],
    [[], [['to', 'too_small']]],
    [Array.from({ length: 51 }, () => 'ada@example.com'), [['to', 'too_big']]],
    [
      ['ada@example.com', 'nonsense', { email: 1 }, [], { email: 'x', more: 1 }],
      [
        ['to.1', 'invalid_string'],
        ['to.2.email', 'invalid_type'],
        ['to.3', 'invalid_type'],
        ['to.4.more', 'unrecognized_keys'],
        ['to.4.email', 'invalid_string'],
      ],
    ],
  ])('to %j', async (to, faults) => {
    expect(await send({ to })).toEqual(faults);
  });

  test.each<[object, Fault[]]>([
    [
      { foo: 1, bar: 2 },
      [
        ['foo', 'unrecognized_keys'],
        ['bar', 'unrecognized_keys'],
      ],
    ],
    [{ subject: undefined }, [['subject', 'invalid_type']]],
    [{ subject: 1 }, [['subject', 'invalid_type']]],
    [{ subject: 'a'.repeat(999) }, [['subject', 'too_big']]],
    [{ subject: 'Hello\r\nBcc: x@example.com' }, [['subject', 'invalid_string']]],
    [{ subject: 'Hello\n' }, [['subject', 'invalid_string']]],
    [{ text: undefined }, [['html', 'invalid_combination']]],
    [{ templateId: 'tpl_1' }, [['templateId', 'invalid_combination']]],
    [{ templateId: null }, [['templateId', 'invalid_type']]],
    [{ subject: 'a\0b' }, [['subject', 'invalid_string']]],
    [{ templateId: 'tpl_1', text: undefined, subject: undefined }, []],
    [{ templateId: 'no id', text: undefined }, [['templateId', 'invalid_string']]],
    [{ html: 7 }, [['html', 'invalid_type']]],
    [{ html: 'a'.repeat(1024 * 1024) }, []],
    [{ html: 'a'.repeat(1024 * 1024 + 1) }, [['html', 'too_big']]],
    [{ text: 'ü'.repeat(512 * 1024 + 1) }, [['text', 'too_big']]],
    [{ variables: 'x' }, [['variables', 'invalid_type']]],
    [{ variables: ['x'] }, [['variables', 'invalid_type']]],
    [{ variables: { a: { b: [1, null, true, { c: 'd' }] } } }, []],
    [{ from: 'nonsense' }, [['from', 'invalid_string']]],
    [{ from: 'Team <nonsense>' }, [['from', 'invalid_string']]],
    [{ from: 'Team <us@example.com>', fromName: 'We' }, [['fromName', 'invalid_combination']]],
    [{ replyTo: 'Us <us@example.com>\r\nBcc: x@example.com' }, [['replyTo', 'invalid_string']]],
    [{ fromName: 'a'.repeat(201) }, [['fromName', 'too_big']]],
    [{ fromName: 'a\rb' }, [['fromName', 'invalid_string']]],
    [{ replyTo: ['a@b.co'] }, [['replyTo', 'invalid_type']]],
    [{ createContact: 'no' }, [['createContact', 'invalid_type']]],
    [{ type: 'spam' }, [['type', 'invalid_enum_value']]],
    [{ type: 1 }, [['type', 'invalid_type']]],
    [{ type: null }, [['type', 'invalid_type']]],
    [{ sendAt: 'tomorrow' }, [['sendAt', 'invalid_string']]],
    [{ sendAt: '2030-01-01T00:00:00' }, [['sendAt', 'invalid_string']]],
    [{ sendAt: '2030-02-30T00:00:00Z' }, [['sendAt', 'invalid_string']]],
    [{ sendAt: 1_800_000_000 }, [['sendAt', 'invalid_type']]],
    [{ sendAt: '2020-01-01T00:00:00Z' }, [['sendAt', 'invalid_date']]],
    [{ sendAt: inFuture(366 * DAY_MS) }, [['sendAt', 'invalid_date']]],
    [{ sendAt: inFuture(364 * DAY_MS) }, []],
    [{ sendAt: `${inFuture(DAY_MS).slice(0, 16)}Z` }, []],
  ])('with %j', async (more, faults) => {
    expect(await send(more)).toEqual(faults);
  });

  test('reports all its faults at once', async () => {
    const faults = await send({ to: [1], subject: 2, text: 3, templateId: 'tpl_1', headers: { From: 'x' }, foo: 4, $where: 5 });
    expect([...faults].sort()).toEqual([
      ['$where', 'reserved_name'],
      ['foo', 'unrecognized_keys'],
      ['headers.From', 'invalid_header'],
      ['subject', 'invalid_type'],
      ['templateId', 'invalid_combination'],
      ['text', 'invalid_type'],
      ['to.0', 'invalid_type'],
    ]);
  });
});
