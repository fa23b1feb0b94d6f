export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
type PictureType = (typeof PICTURE_TYPES)[number];

/** A picture as its bytes describe it. Width and height are in pixels, as it is shown. */
export interface Picture {
  readonly contentType: PictureType;
  readonly width: number;
  readonly height: number;
}

type Size = Pick<Picture, 'width' | 'height'>;

const ascii = (bytes: Buffer, from: number, to: number): string => bytes.toString('latin1', from, to);

function pngSize(bytes: Buffer): Size | null {
  if (bytes.length < 33 || ascii(bytes, 0, 8) !== '\x89PNG\r\n\x1a\n' || ascii(bytes, 12, 16) !== 'IHDR') return null;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function gifSize(bytes: Buffer): Size | null {
  if (bytes.length < 14 || !/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return null;
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

/** Returns whether a marker starts a frame, of any kind; the markers between them mean something else. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Goes up to the frame, which comes before the picture itself. Orientations from 5 on turn the picture to its side. */
function jpegSize(bytes: Buffer): Size | null {
  const segments = segmentsOf(bytes) ?? [];
  for (const { marker, bytes: segment } of segments) {
    if (marker === 0xda) return null;
    if (!isFrame(marker) || segment.length < 9) continue;
    const [height, width] = [segment.readUInt16BE(5), segment.readUInt16BE(7)];
    return orientationOf(segments) >= 5 ? { width: height, height: width } : { width, height };
  }
  return null;
}

function webpSize(bytes: Buffer): Size | null {
  if (bytes.length < 30 || ascii(bytes, 0, 4) !== 'RIFF' || ascii(bytes, 8, 12) !== 'WEBP') return null;
  const kind = ascii(bytes, 12, 16);
  if (kind === 'VP8X') return { width: 1 + bytes.readUIntLE(24, 3), height: 1 + bytes.readUIntLE(27, 3) };
  if (kind === 'VP8L' && bytes[20] === 0x2f) {
    const bits = bytes.readUInt32LE(21);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  if (kind === 'VP8 ' && ascii(bytes, 23, 26) === '\x9d\x01\x2a')
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  return null;
}

const READERS: Readonly<Record<PictureType, (bytes: Buffer) => Size | null>> = {
  'image/png': pngSize,
  'image/jpeg': jpegSize,
  'image/gif': gifSize,
  'image/webp': webpSize,
};

/** Recognizes a picture by its content; null for everything else, and for a picture without an extent. Nothing is decoded. */
export function pictureOf(bytes: Buffer): Picture | null {
  for (const contentType of PICTURE_TYPES) {
    const size = READERS[contentType](bytes);
    if (size) return size.width > 0 && size.height > 0 ? { contentType, ...size } : null;
  }
  return null;
}

const START = Buffer.from([0xff, 0xd8]);
const APP0 = 0xe0;
const EXIF = 0xe1;
const SCAN = 0xda;
const END = 0xd9;

/** A piece of a JPEG from its marker to the next one; that of a scan includes the picture's data. */
interface Segment {
  readonly marker: number;
  readonly bytes: Buffer;
}

/** Segments that a picture has at most. Real ones have up to a few hundred. */
const MOST_SEGMENTS = 10_000;

// After 0xff: 0 and 0xff are data or fill; restarts and 1 have no content, and nothing depends on them outside a scan.
const isNoSegment = (marker: number): boolean => marker <= 0x01 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd7);

/** Returns where the next segment begins, or the length if there is none. */
function nextSegment(bytes: Buffer, from: number): number {
  for (let at = from; at + 1 < bytes.length; at += 1) if (bytes[at] === 0xff && !isNoSegment(bytes[at + 1]!)) return at;
  return bytes.length;
}

function endOf(bytes: Buffer, at: number, marker: number): number {
  if (marker === END) return at + 2;
  if (at + 4 > bytes.length) return bytes.length;
  const end = at + 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  return marker === SCAN ? nextSegment(bytes, end) : Math.min(end, bytes.length);
}

/**
 * Returns the segments up to the end of the picture, as decoders read them: they skip what is between segments. Null for what is no JPEG, and for one of more
 * than 10,000 segments.
 */
function segmentsOf(bytes: Buffer): readonly Segment[] | null {
  if (!bytes.subarray(0, 2).equals(START)) return null;
  const segments: Segment[] = [];
  let at = nextSegment(bytes, 2);
  while (at < bytes.length) {
    if (segments.length === MOST_SEGMENTS) return null;
    const marker = bytes.readUInt8(at + 1);
    const end = endOf(bytes, at, marker);
    segments.push({ marker, bytes: bytes.subarray(at, end) });
    if (marker === END) break;
    at = nextSegment(bytes, end);
  }
  return segments;
}

/** Segments of applications that decide how the picture looks, by how they begin: its resolution, colors and color transform. */
const NEEDED: Readonly<Record<number, string>> = { [APP0]: 'JFIF\0', 0xe2: 'ICC_PROFILE\0', 0xee: 'Adobe' };

const beginsWith = ({ bytes }: Segment, text: string): boolean => bytes.toString('latin1', 4, 4 + text.length) === text;

/** Returns whether a segment describes the picture and is not needed to show it: applications' data and comments. */
function isMetadata(segment: Segment): boolean {
  const { marker } = segment;
  const needed = NEEDED[marker];
  if (needed !== undefined) return !beginsWith(segment, needed);
  return (marker >= APP0 && marker <= 0xef) || marker === 0xfe;
}

/** A JFIF segment up to the size of its thumbnail, which follows. */
const JFIF_HEAD = 16;

/** Returns the bytes of a segment without a thumbnail. */
function withoutThumbnail({ marker, bytes }: Segment): Buffer {
  if (marker !== APP0 || bytes.length < JFIF_HEAD + 2) return bytes;
  return Buffer.concat([Buffer.from([0xff, APP0, 0, JFIF_HEAD]), bytes.subarray(4, JFIF_HEAD), Buffer.alloc(2)]);
}

const ORIENTATION = 0x01_12;
const SHORT = 3;
const TIFF_AT = 10;

/** Reads the orientation of an EXIF segment, 1 to 8; undefined if it says none. */
function orientationIn({ bytes }: Segment): number | undefined {
  const tiff = bytes.subarray(TIFF_AT);
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const shortAt = (at: number): number => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const short = (at: number): number => (at + 2 > tiff.length ? 0 : shortAt(at));
  if (tiff.length < 8) return undefined;
  const list = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  for (let at = list + 2, left = short(list); left > 0 && at + 12 <= tiff.length; at += 12, left -= 1)
    if (short(at) === ORIENTATION && short(at + 2) === SHORT) return short(at + 8);
  return undefined;
}

/** Returns how a JPEG is to be turned and mirrored, as EXIF numbers it; 1 if it is to be shown as it is stored. */
function orientationOf(segments: readonly Segment[]): number {
  for (const segment of segments) {
    if (segment.marker === SCAN) break;
    if (segment.marker !== EXIF || !beginsWith(segment, 'Exif\0\0')) continue;
    const found = orientationIn(segment);
    if (found !== undefined && found >= 1 && found <= 8) return found;
  }
  return 1;
}

/** Returns an EXIF segment that says the orientation and nothing else. */
const orientationSegment = (orientation: number): Buffer =>
  Buffer.from(`ffe100224578696600004d4d002a0000000800010112000300000001000${orientation}000000000000`, 'hex');

/**
 * Removes from a JPEG what does not decide how it looks: where and when it was taken and by what, comments, thumbnails, and what follows its end. Its pixels,
 * colors and orientation stay.
 */
export function withoutMetadata(bytes: Buffer): Buffer {
  const segments = segmentsOf(bytes) ?? [];
  const kept = segments.filter((segment) => !isMetadata(segment));
  const orientation = orientationOf(segments);
  return Buffer.concat([
    START,
    ...kept.filter(({ marker }) => marker === APP0).map(withoutThumbnail),
    ...(orientation === 1 ? [] : [orientationSegment(orientation)]),
    ...kept.filter(({ marker }) => marker !== APP0).map((segment) => segment.bytes),
  ]);
}
