import { readMail } from '../../../../src/message/reader';
import type { ReadMail } from '../../../../src/message/reader';

/** Reads a message of which each letter is a byte. */
const read = (message: string, keepBytes = 1_000): ReadMail =>
  readMail(Buffer.from(message.replace(/\r?\n/g, '\r\n'), 'latin1'), keepBytes);
const utf8 = (text: string): string => Buffer.from(text).toString('latin1');

const filesOf = ({ parts }: ReadMail) =>
  parts.map(({ contentType, filename, size, bytes }) => [contentType, filename, size, bytes && Buffer.from(bytes).toString('latin1')]);

describe('letters', () => {
  test.each([
    ['utf-8', utf8('Zoë'), 'Zoë'],
    ['"UTF8"', utf8('Zoë'), 'Zoë'],
    ['utf-8', 'Zo\xeb', 'Zoë'],
    ['us-ascii', utf8('Zoë'), 'Zoë'],
    ['us-ascii', 'Zo\xeb', 'Zoë'],
    ['x-unknown', 'Zo\xeb', 'Zoë'],
    ['no-such-charset', utf8('Zoë'), 'Zoë'],
    ['iso-8859-1 (Western)', 'Zo\xeb', 'Zoë'],
    ['iso-8859-2', '\xb3\xf3d\xbc', 'łódź'],
    ['koi8-r', '\xf0\xd2\xc9\xd7\xc5\xd4', 'Привет'],
    ['windows-1251', '\xcf\xf0\xe8\xe2\xe5\xf2', 'Привет'],
    ['cp932', '\x83e\x83X\x83g', 'テスト'],
    ['shift_jis', '\x83e\x83X\x83g', 'テスト'],
    ['euc-jp', '\xa5\xc6\xa5\xb9\xa5\xc8', 'テスト'],
    ['iso-2022-jp', '\x1b$B%F%9%H\x1b(B!', 'テスト!'],
    ['iso-2022-jp-ms', '\x1b$B%F%9%H\x1b(B!', 'テスト!'],
    ['gb2312', '\xc4\xe3\xba\xc3', '你好'],
    ['gb18030', '\xc4\xe3\xba\xc3', '你好'],
    ['big5', '\xa7A\xa6n', '你好'],
    ['ks_c_5601-1987', '\xc7\xd1', '한'],
    ['ibm437', '\x82t\x82', 'été'],
    ['cp850', '\x82t\x82', 'été'],
    ['macintosh', '\x8et\x8e', 'été'],
    ['utf-7', 'Zo+AOs- +- 1', 'Zoë + 1'],
    ['utf-16', '\xfe\xff\0Z\0o\0\xeb', 'Zoë'],
    ['utf-16le', 'Z\0o\0\xeb\0', 'Zoë'],
  ])('%s: %j', (charset, written, text) => {
    expect(read(`Content-Type: text/plain; charset=${charset}\n\n${written}`).text).toBe(text);
  });

  test.each([
    ['nothing, in UTF-8', '', utf8('Zoë'), 'Zoë'],
    ['nothing, in a western charset', '', 'Zo\xeb', 'Zoë'],
    ['nothing, with the sequences of Japanese', '', '\x1b$B%F%9%H\x1b(B', 'テスト'],
    ['its mark of UTF-8', '', `\xef\xbb\xbf${utf8('Zoë')}`, 'Zoë'],
    ['meta charset', '', '<meta charset="koi8-r">\xf0', '<meta charset="koi8-r">П'],
    [
      'meta http-equiv',
      '',
      '<meta http-equiv=content-type content="text/html; charset=iso-8859-2">\xb3',
      '<meta http-equiv=content-type content="text/html; charset=iso-8859-2">ł',
    ],
    ['XML', '', '<?xml version="1.0" encoding="windows-1251"?>\xcf', '<?xml version="1.0" encoding="windows-1251"?>П'],
    ['meta, and the head nothing', '; charset=us-ascii', '<meta charset=iso-8859-2>\xb3', '<meta charset=iso-8859-2>ł'],
    ['the head, and meta another', '; charset=iso-8859-1', '<meta charset=koi8-r>\xeb', '<meta charset=koi8-r>ë'],
    ['meta what cannot be', '', '<meta charset=utf-16>Zo\xeb', '<meta charset=utf-16>Zoë'],
  ])('HTML whose charset is said by %s', (_by, parameter, written, html) => {
    expect(read(`Content-Type: text/html${parameter}\n\n${written}`).html).toBe(html);
  });

  test('one wrong byte leaves the rest of a text in UTF-8', () => {
    expect(read(`Content-Type: text/plain; charset=utf-8\n\n${utf8('Zoë')}\xff`).text).toBe('Zoë\ufffd');
  });
});

describe('fields', () => {
  test.each([
    ['=?utf-8?q?Zo=C3=AB?= =?utf-8?b?IQ==?= and more', 'Zoë! and more'],
    ['=?utf-8?b?ww==?=\n =?utf-8?b?iw==?=', 'Ë'],
    ['=?iso-8859-1*de?Q?Gr=FC=DFe_an_alle?=', 'Grüße an alle'],
    ['=?iso-8859-1?Q?Gr\xfc\xdfe?=', 'Grüße'],
    [`=?utf-8?Q?${utf8('Zoë')} writes?=`, 'Zoë writes'],
    ['=?utf-8?Q?Really??=', 'Really?'],
    ['=?iso-2022-jp?B?GyRCJUYlOSVIGyhC?=', 'テスト'],
    ['\x1b$B%F%9%H\x1b(B', 'テスト'],
    [utf8('Zoë'), 'Zoë'],
    ['Zo\xeb', 'Zoë'],
    ['=?no-such?q?Zo=C3=AB?=', 'Zoë'],
    ['=?utf-8?x?Zoe?= =?', '=?utf-8?x?Zoe?= =?'],
    ['folded\n\tonce\n  twice', 'folded once twice'],
    ['a\0b', 'ab'],
  ])('subject %j', (written, subject) => {
    expect(read(`Subject: ${written}\n\n`).subject).toBe(subject);
  });

  test.each([
    ['Ada Lovelace <ada@example.com>', 'ada@example.com', 'Ada Lovelace', true],
    ['"Lovelace, Ada" <ada@example.com>', 'ada@example.com', 'Lovelace, Ada', true],
    ['ada@example.com (Ada (the first) Lovelace)', 'ada@example.com', 'Ada (the first) Lovelace', true],
    ['"=?utf-8?q?Zo=C3=AB?=" <zoe@example.com>', 'zoe@example.com', 'Zoë', true],
    ['=?utf-8?q?Zo=C3=AB_=3Czoe=40example=2Ecom=3E?=', 'zoe@example.com', 'Zoë', true],
    ['Zo\xeb <zoe@example.com>', 'zoe@example.com', 'Zoë', true],
    ['Team: ada@example.com,\n bob@example.com;', 'ada@example.com', '', false],
    ['ada@example.com, bob@example.com', 'ada@example.com', '', false],
    ['undisclosed:;', '', '', false],
    ['a:'.repeat(10_000), '', '', false],
  ])('author %j', (written, address, name, hasOneAuthor) => {
    expect(read(`From: ${written}\n\n`)).toMatchObject({ author: { address, name }, hasOneAuthor });
  });

  test.each([
    ['after empty lines', '\n\nSubject: Hi\n\nHello'],
    ['behind the line of a mailbox', 'From ada@example.com Thu Jan  1\nSubject: Hi\n\nHello'],
    ['around a line that is no field', 'X-A: 1\nnonsense\nSubject: Hi\n\nHello'],
    ['with a blank before its colon', 'Subject : Hi\n\nHello'],
  ])('a head %s is read', (_how, message) => {
    expect(read(message)).toMatchObject({ subject: 'Hi', text: 'Hello' });
  });

  test.each(['\r\n', '\n', '\r\r\n'])('lines that end in %j', (end) => {
    const message = ['Subject: Hi', 'Content-Type: multipart/mixed; boundary=m', '', '--m', '', 'One', 'two', '--m--', ''].join(end);
    expect(readMail(Buffer.from(message), 0)).toMatchObject({ subject: 'Hi', text: 'One\ntwo' });
  });
});

const multipart = (kind: string, parts: readonly string[], end = '\n--m--\n'): string =>
  `Content-Type: multipart/${kind}; boundary="m"\n\npreamble${parts.map((part) => `\n--m\n${part}`).join('')}${end}`;

/** The same with another boundary. */
const within = (boundary: string, message: string): string => message.replaceAll('"m"', `"${boundary}"`).replaceAll('--m', `--${boundary}`);

describe('parts', () => {
  const [text, html] = ['Content-Type: text/plain\n\nHello', 'Content-Type: text/html\n\n<p>Hello</p>'];

  test.each([
    ['alternatives', multipart('alternative', [text, html]), 'Hello', '<p>Hello</p>'],
    ['alternatives, the richest first', multipart('alternative', [html, text]), 'Hello', '<p>Hello</p>'],
    ['two texts', multipart('mixed', [text, '\nBye']), 'Hello\nBye', null],
    ['two documents', multipart('mixed', [html, html]), null, '<p>Hello</p>\n<p>Hello</p>'],
    ['no part at all', multipart('mixed', [], ''), 'preamble', null],
    ['an end that never comes', multipart('alternative', [text, html], ''), 'Hello', '<p>Hello</p>'],
    ['a part without a head', multipart('mixed', ['Hello there\nyou']), 'Hello there\nyou', null],
    ['a part that ends in its head', multipart('mixed', ['Content-Type: text/plain', text]), '\nHello', null],
    ['no name of its boundary', multipart('mixed', [text]).replace(/; boundary="m"\n\npreamble/, '\n'), 'Hello', null],
    ['a type that is no type', 'Content-Type: text\n\nHello', 'Hello', null],
    ['nothing', '', '', null],
  ])('%s', (_kind, message, plain, rich) => {
    expect(read(message)).toMatchObject({ text: plain, html: rich, parts: [] });
  });

  test('a part that is not closed ends with what is around it', () => {
    const inner = within('inner', multipart('alternative', [text, html], ''));
    expect(read(multipart('mixed', [inner, '\nBye']))).toMatchObject({
      text: 'Hello\nBye',
      html: expect.stringMatching(/^<p>Hello<\/p>\n.*Bye/),
    });
  });

  test('what a list adds to the text is in the HTML too, and nothing else is', () => {
    const { text: plain, html: rich } = read(
      multipart('mixed', [within('a', multipart('alternative', [text, html])), '\nTo leave: <list>']),
    );
    expect(plain).toBe('Hello\nTo leave: <list>');
    expect(rich).toBe('<p>Hello</p>\n<div style="white-space: pre-wrap">To leave: &lt;list&gt;</div>');
  });

  test('of HTML with a text behind it both are in the text', () => {
    expect(read(multipart('mixed', [html, '\nBye'])).text).toBe('Hello\nBye');
  });

  test.each([
    ['plain', 'filename="a b.pdf"', 'a b.pdf'],
    ['without quotation marks', 'filename=offer (1).pdf', 'offer (1).pdf'],
    ['with quotation marks in it', 'filename="a \\"b\\".pdf"', 'a "b".pdf'],
    ['as an encoded word', 'filename="=?utf-8?q?Zo=C3=AB.pdf?="', 'Zoë.pdf'],
    ['of eight bits', `filename="${utf8('Zoë')}.pdf"`, 'Zoë.pdf'],
    ['with its charset', "filename*=iso-8859-1'de'Zo%EB.pdf", 'Zoë.pdf'],
    ['in pieces', 'filename*0="a;";\n filename*1="b.pdf"', 'a;b.pdf'],
    ['in pieces, out of order, some encoded', 'filename*1="%C3%AB"; filename*0*=utf-8\'\'Zo%C3%AB-; filename*2*=%2Epdf', 'Zoë-%C3%AB.pdf'],
    ['for old and for new software', 'filename="Zo_.pdf"; filename*=utf-8\'\'Zo%C3%AB.pdf', 'Zoë.pdf'],
  ])('a file with a name %s', (_how, parameter, filename) => {
    const file = `Content-Type: application/pdf\nContent-Disposition: attachment; ${parameter}\n\nx`;
    expect(filesOf(read(multipart('mixed', [text, file])))).toEqual([['application/pdf', filename, 1, 'x']]);
  });

  test.each([
    ['a message', 'Content-Type: message/rfc822; name="note.eml"\n\nSubject: inner\n\nHi', ['message/rfc822', 'note.eml', 20]],
    ['a message without a type, in a digest', '\nSubject: inner\n\nHi', ['message/rfc822', null, 20], 'digest'],
    [
      'TNEF',
      'Content-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64\n\neJ8+Ig==',
      ['application/ms-tnef', 'winmail.dat', 4],
    ],
    ['what has no type that is one', 'Content-Type: nonsense\n\nx', ['application/octet-stream', null, 1]],
  ])('%s is a file', (_kind, part, [contentType, filename, size], kind = 'mixed') => {
    expect(read(multipart(kind, [part])).parts).toMatchObject([{ contentType, filename, size }]);
  });

  test('a text within the message that has a name is read, and is a file of that name', () => {
    const named = 'Content-Type: text/plain; name="notes.txt"\nContent-Disposition: inline\n\nMy notes';
    const mail = read(multipart('mixed', [text, named]));
    expect(mail.text).toBe('Hello\nMy notes');
    expect(filesOf(mail)).toEqual([['text/plain', 'notes.txt', 8, 'My notes']]);
  });

  test('files are kept whole or not at all', () => {
    const file = (bytes: string): string => `Content-Type: a/b\n\n${bytes}`;
    const { parts } = read(multipart('mixed', [file('12345'), file('123456789'), file('12')]), 8);
    expect(parts.map(({ size, bytes }) => [size, bytes !== null])).toEqual([
      [5, true],
      [9, false],
      [2, true],
    ]);
  });
});

describe('encodings', () => {
  const file = (encoding: string, body: string) =>
    filesOf(read(`Content-Type: a/b\nContent-Transfer-Encoding: ${encoding}\n\n${body}`))[0]?.[3];

  test.each([
    ['base64', 'SGVs\nbG8=\n', 'Hello'],
    ['BASE64 (of course)', 'SGVsbG8', 'Hello'],
    ['base64', 'SG!Vs\n bG~8=', 'Hello'],
    ['base64', 'SGVs\nbG8=IHlvdQ==', 'Hello you'],
    ['quoted-printable', 'H=65llo=  \n you=\n', 'Hello you'],
    ['quoted-printable', 'a=3Db=c3 =ZZ 1=1 = x=', 'a=b\xc3 =ZZ 1=1 = x'],
    ['quoted-printable', 'blanks  \t\nkept=20\n', 'blanks\r\nkept \r\n'],
    ['x-uuencode', 'begin 644 a.txt\n%2&5L;&\\\n`\nend\n', 'Hello'],
    ['7bit', 'Hello\n', 'Hello\r\n'],
    ['x-invented', 'Hello', 'Hello'],
  ])('%s: %j', (encoding, body, decoded) => {
    expect(file(encoding, body)).toBe(decoded);
  });

  test('a file that stands in the text is taken out of it', () => {
    const mail = read('Subject: Hi\n\nBefore\nbegin 644 cat.txt\n#0V%T\n`\nend\nAfter\nbegin 644 is no file\nend\n');
    expect(mail.text).toBe('Before\nAfter\nbegin 644 is no file\nend\n');
    expect(filesOf(mail)).toEqual([['application/octet-stream', 'cat.txt', 3, 'Cat']]);
  });

  test.each([
    ['', 'One \ntwo\nthree\n', 'One two\nthree\n'],
    ['; delsp=yes', 'One \ntwo', 'Onetwo'],
    ['', '> quo \n> ted\n>> deep \n> less', '> quo ted\n>> deep \n> less'],
    ['', 'Bye \n-- \nAda\n From me', 'Bye \n-- \nAda\nFrom me'],
  ])('flowed text%s: %j', (parameter, written, text) => {
    expect(read(`Content-Type: text/plain; format=flowed${parameter}\n\n${written}`).text).toBe(text);
  });
});

describe('a message of 24 MiB is read in little time', () => {
  const of = (head: string, line: string): Buffer => {
    const beginning = Buffer.from(`From: ada@example.com\r\n${head}\r\n\r\n`);
    return Buffer.concat([beginning, Buffer.alloc(24 * 1_048_576 - beginning.length, line)]);
  };

  test.each([
    ['UTF-7', 'Content-Type: text/plain; charset=utf-7', '+AOk-'],
    ['short flowed lines', 'Content-Type: text/plain; format=flowed', 'a \r\n'],
    ['lines like delimiters', 'Content-Type: multipart/mixed; boundary=b', '--b-\n'],
    ['base64', 'Content-Type: a/b\r\nContent-Transfer-Encoding: base64', 'YWJjZGVm\r\n'],
    ['quoted-printable', 'Content-Type: a/b\r\nContent-Transfer-Encoding: quoted-printable', '= '],
    ['beginnings of tags', 'Content-Type: text/html', '<a <'],
  ])('%s', (_kind, head, line) => {
    const message = of(head, line);
    const before = process.cpuUsage();
    const mail = readMail(message, 0);
    const { user, system } = process.cpuUsage(before);
    expect(mail.author.address).toBe('ada@example.com');
    expect((user + system) / 1_000).toBeLessThan(4_000);
  });
});
