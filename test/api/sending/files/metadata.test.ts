import request from 'supertest';
import { aProject } from '../../../support/platform/app';

const app = aProject();

const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
const segment = (marker: number, content: Buffer | string): Buffer =>
  Buffer.concat([Buffer.from([0xff, marker]), u16(2 + content.length), Buffer.from(content as string, 'latin1')]);

const START = Buffer.from('ffd8', 'hex');
const END = Buffer.from('ffd9', 'hex');
const JFIF = segment(0xe0, 'JFIF\0\x01\x02\0\0\x48\0\x48\0\0');
const COLORS = segment(0xe2, 'ICC_PROFILE\0\x01\x01profile');
const TRANSFORM = segment(0xee, 'Adobe\0\x64\0\0\0\0\x01');
const TABLE = segment(0xdb, '\0'.repeat(65));
const FRAME = segment(0xc2, '\x08\x01\xe0\x02\x80\x01\x01\x11\0');
/** Data in which 0xff occurs, with a restart; two scans, as a progressive picture has them. */
const SCANS = Buffer.concat([
  segment(0xda, '\x01\x01\0\0\0\0'),
  Buffer.from('12ff00ffd034', 'hex'),
  segment(0xc4, '\x10abc'),
  segment(0xda, '\x01\x01\0\x01\x3f\0'),
  Buffer.from('56ffff0078', 'hex'),
]);
const LOCATION = 'GPS 52.5163N 13.3777E';

/** EXIF of a camera: a make, the orientation, and a place. */
function exif(orientation: number, order: 'II' | 'MM'): Buffer {
  const n = (value: number, bytes: number): Buffer => {
    const number = Buffer.alloc(bytes);
    if (order === 'II') number.writeUIntLE(value, 0, bytes);
    else number.writeUIntBE(value, 0, bytes);
    return number;
  };
  const make = [n(0x01_0f, 2), n(2, 2), n(4, 4), Buffer.from('Cam\0')];
  const turned = [n(0x01_12, 2), n(3, 2), n(1, 4), n(orientation, 2), n(0, 2)];
  const head = [Buffer.from(`Exif\0\0${order}`, 'latin1'), n(42, 2), n(8, 4), n(2, 2)];
  return segment(0xe1, Buffer.concat([...head, ...make, ...turned, n(0, 4), Buffer.from(LOCATION)]));
}

/** The only EXIF that stays. */
const turned = (orientation: number): Buffer =>
  segment(0xe1, Buffer.from(`4578696600004d4d002a0000000800010112000300000001000${orientation}000000000000`, 'hex'));

const METADATA = [
  segment(0xe1, `http://ns.adobe.com/xap/1.0/\0<x>${LOCATION}</x>`),
  segment(0xed, `Photoshop 3.0\0${LOCATION}`),
  segment(0xe2, `MPF\0${LOCATION}`),
  segment(0xe0, `JFXX\0${LOCATION}`),
  segment(0xfe, LOCATION),
];

async function stored(picture: Buffer): Promise<{ readonly width: number; readonly height: number; readonly content: Buffer }> {
  const { body } = await app
    .api()
    .post('/v1/files')
    .set('Content-Type', 'image/jpeg')
    .send(picture)
    .expect((answer) => {
      if (answer.status >= 300) throw new Error(answer.text);
    });
  const { url, width, height, bytes } = body.data as { url: string; width: number; height: number; bytes: number };
  const content = (await request(app.url).get(new URL(url).pathname).buffer(true)).body as Buffer;
  expect(content.length).toBe(bytes);
  return { width, height, content };
}

test.each([
  ['II', 6],
  ['MM', 6],
  ['II', 8],
] as const)('a JPEG (%s, orientation %i) loses where it was taken, and stays turned as it was', async (order, orientation) => {
  const [first, ...others] = METADATA;
  const picture = Buffer.concat([
    START,
    exif(orientation, order),
    JFIF,
    first ?? START,
    COLORS,
    TRANSFORM,
    ...others,
    TABLE,
    FRAME,
    SCANS,
    END,
    Buffer.from(`ftypmp42${LOCATION}`),
  ]);
  const { width, height, content } = await stored(picture);
  expect(content).toEqual(Buffer.concat([START, JFIF, turned(orientation), COLORS, TRANSFORM, TABLE, FRAME, SCANS, END]));
  expect([width, height]).toEqual([480, 640]);
});

test('a JPEG that is not turned keeps no EXIF, and one without metadata is stored as it is', async () => {
  const plain = Buffer.concat([START, JFIF, TABLE, FRAME, SCANS, END]);
  const one = await stored(Buffer.concat([START, JFIF, exif(1, 'MM'), TABLE, FRAME, SCANS, END]));
  expect(one).toEqual({ width: 640, height: 480, content: plain });
  expect((await stored(plain)).content).toEqual(plain);
});

test('EXIF that is cut off or leads nowhere is removed as well', async () => {
  const broken = exif(6, 'II');
  broken.writeUInt32LE(0xff_ff_ff_f0, 14);
  const cut = segment(0xe1, 'Exif\0\0MM\0');
  const { width, content } = await stored(Buffer.concat([START, broken, cut, TABLE, FRAME, SCANS, END]));
  expect(width).toBe(640);
  expect(content).toEqual(Buffer.concat([START, TABLE, FRAME, SCANS, END]));
});

test('what is between two segments is skipped, as decoders do, so that nothing hides behind it', async () => {
  const filled = Buffer.concat([START, JFIF, Buffer.from('00ff00ffff', 'hex'), exif(1, 'II').subarray(1), TABLE, FRAME, SCANS, END]);
  expect((await stored(filled)).content).toEqual(Buffer.concat([START, JFIF, TABLE, FRAME, SCANS, END]));
});

test('a JFIF segment keeps the resolution, and loses its thumbnail', async () => {
  const thumbnail = segment(0xe0, `JFIF\0\x01\x02\0\0\x48\0\x48\x02\x03${'\x7f'.repeat(18)}`);
  const { content } = await stored(Buffer.concat([START, thumbnail, segment(0xe0, 'JFXX\0\x13\x01\x01abc'), TABLE, FRAME, SCANS, END]));
  expect(content).toEqual(Buffer.concat([START, JFIF, TABLE, FRAME, SCANS, END]));
});

test('markers without content go, however many there are', async () => {
  const alone = Buffer.alloc(200_000, Buffer.from('ff01ffd0', 'hex'));
  const { content } = await stored(Buffer.concat([START, JFIF, alone, TABLE, FRAME, SCANS, END]));
  expect(content).toEqual(Buffer.concat([START, JFIF, TABLE, FRAME, SCANS, END]));
});

test.each([
  ['before its frame', (many: Buffer) => [many, FRAME, SCANS]],
  ['after its frame', (many: Buffer) => [FRAME, many, SCANS]],
])('a JPEG of more than 10,000 segments is no picture: %s', async (_where, around) => {
  const upload = (count: number) =>
    app
      .api()
      .post('/v1/files')
      .set('Content-Type', 'image/jpeg')
      .send(Buffer.concat([START, ...around(Buffer.alloc(4 * count, Buffer.from('ffdb0002', 'hex'))), END]));
  // A frame, three segments of the scans, and the end.
  await upload(9_995).expect(201);
  const { body } = await upload(9_996).expect(422);
  expect(body.details).toEqual([expect.objectContaining({ code: 'invalid_type' })]);
});
