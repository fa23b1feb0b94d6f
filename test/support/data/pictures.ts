const ascii = (text: string): Buffer => Buffer.from(text, 'latin1');
const u16be = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
const u16le = (value: number): Buffer => Buffer.from([value & 0xff, value >> 8]);
const u32be = (value: number): Buffer => Buffer.concat([u16be(value >>> 16), u16be(value & 0xffff)]);

/** Heads of pictures, as far as they say what they are; `tail` makes one differ from another. */
export const pictures = {
  png: (width: number, height: number, tail = ''): Buffer =>
    Buffer.concat([ascii('\x89PNG\r\n\x1a\n'), u32be(13), ascii('IHDR'), u32be(width), u32be(height), Buffer.alloc(9), ascii(tail)]),
  gif: (width: number, height: number, tail = ''): Buffer =>
    Buffer.concat([ascii('GIF89a'), u16le(width), u16le(height), Buffer.alloc(4), ascii(tail)]),
  /** With a segment that holds the picture of a camera's preview, in another size. */
  jpeg: (width: number, height: number): Buffer => {
    const frame = (w: number, h: number): Buffer =>
      Buffer.concat([ascii('\xff\xc0'), u16be(11), Buffer.from([8]), u16be(h), u16be(w), Buffer.alloc(4)]);
    const preview = Buffer.concat([ascii('\xff\xd8'), frame(16, 16)]);
    const segment = Buffer.concat([ascii('\xff\xe1'), u16be(2 + preview.length), preview]);
    return Buffer.concat([ascii('\xff\xd8'), segment, ascii('\xff\xff'), frame(width, height)]);
  },
  webp: (kind: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number): Buffer => {
    const bits = (width - 1) | ((height - 1) << 14);
    const heads = {
      'VP8 ': [Buffer.alloc(3), ascii('\x9d\x01\x2a'), u16le(width), u16le(height)],
      VP8L: [Buffer.from([0x2f, bits & 0xff, (bits >>> 8) & 0xff, (bits >>> 16) & 0xff, bits >>> 24])],
      VP8X: [Buffer.alloc(4), u16le(width - 1), Buffer.alloc(1), u16le(height - 1), Buffer.alloc(1)],
    };
    return Buffer.concat([ascii('RIFF'), Buffer.alloc(4), ascii('WEBP'), ascii(kind), Buffer.alloc(4), ...heads[kind], Buffer.alloc(8)]);
  },
};
