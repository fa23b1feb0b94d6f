import type { Brand } from '../contracts/brand';

interface FooterBrand {
  readonly name: string | null;
  readonly address: string | null;
}

/** Returns what the footer of marketing mail says of its sender; null where there is nothing to say. */
export const footerBrandOf = ({ name, address }: Brand = {}): FooterBrand | null =>
  name === undefined && address === undefined ? null : { name: name ?? null, address: address ?? null };

/** Returns the name that readers know a project by. */
export const senderName = ({ name, brand }: { readonly name: string; readonly brand?: Brand }): string => brand?.name ?? name;

/** Relative luminance of a channel (WCAG 2, relative luminance). */
const linear = (channel: number): number => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4);

/** Returns black or white: what is better to read on a color given as `#rrggbb`. One of the two always has a contrast of at least 4.5. */
export function inkOn(color: string): '#000' | '#fff' {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => linear(Number.parseInt(color.slice(at, at + 2), 16) / 255));
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return (luminance + 0.05) ** 2 > 1.05 * 0.05 ? '#000' : '#fff';
}
