type Range = readonly [prefix: readonly number[], bits: number];

/** IANA's special-purpose IPv4 ranges that are not for everyone to reach, and multicast. */
const CLOSED_4: readonly Range[] = [
  [[0], 8],
  [[10], 8],
  [[100, 64], 10],
  [[127], 8],
  [[169, 254], 16],
  [[172, 16], 12],
  [[192, 0, 0], 24],
  [[192, 0, 2], 24],
  [[192, 88, 99], 24],
  [[192, 168], 16],
  [[198, 18], 15],
  [[198, 51, 100], 24],
  [[203, 0, 113], 24],
  [[224], 4],
  [[240], 4],
];

/** Ranges within 2000::/3 that are not public: protocol assignments (Teredo among them), documentation, and 6to4, which leads to any IPv4 address. */
const CLOSED_6: readonly Range[] = [
  [[0x2001, 0], 23],
  [[0x2001, 0x0db8], 32],
  [[0x2002], 16],
  [[0x3fff], 20],
];

/**
 * Returns whether an IP address may be called on behalf of a customer: one of the public internet, as far as IANA's special-purpose registries say
 * (RFC 6890). Of IPv6 only global unicast, 2000::/3. Anything that is not an address is not.
 */
export function isPublicAddress(address: string): boolean {
  const four = readIpv4(address);
  if (four) return !CLOSED_4.some((range) => within(four, range, 8));
  const six = readIpv6(address);
  if (!six) return false;
  return within(six, [[0x2000], 3], 16) && !CLOSED_6.some((range) => within(six, range, 16));
}

function within(parts: readonly number[], [prefix, bits]: Range, width: number): boolean {
  for (let index = 0, left = bits; left > 0; index++, left -= width) {
    const shift = Math.max(0, width - left);
    if ((parts[index] ?? 0) >> shift !== (prefix[index] ?? 0) >> shift) return false;
  }
  return true;
}

function readIpv4(text: string): readonly number[] | null {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part))) return null;
  const numbers = parts.map(Number);
  return numbers.every((number) => number <= 255) ? numbers : null;
}

// RFC 4291, section 2.2; with a zone it is no address of the internet.
function readIpv6(text: string): readonly number[] | null {
  const [head = '', tail, more] = text.split('::');
  if (more !== undefined || text.length > 45) return null;
  const before = readGroups(head, tail === undefined);
  const after = tail === undefined ? [] : readGroups(tail, true);
  if (!before || !after) return null;
  const missing = 8 - before.length - after.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return null;
  return [...before, ...Array.from({ length: missing }, () => 0), ...after];
}

// The last group of all may be an IPv4 address.
function readGroups(text: string, isEnd: boolean): readonly number[] | null {
  if (text === '') return [];
  const groups = text.split(':');
  const numbers = groups.flatMap((group, index) => {
    if (/^[0-9a-fA-F]{1,4}$/.test(group)) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = (isEnd && index === groups.length - 1 && readIpv4(group)) || [Number.NaN];
    return [a * 256 + b, c * 256 + d];
  });
  return numbers.every(Number.isInteger) ? numbers : null;
}
