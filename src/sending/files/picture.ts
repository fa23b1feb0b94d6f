import { orientationOf, segmentsOf } from './jpeg';

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
