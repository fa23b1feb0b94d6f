import type { Brand } from '../contracts/brand';
import { contrast } from './color';

interface FooterBrand {
  readonly name: string | null;
  readonly address: string | null;
}

/** Returns what the footer of marketing mail says of its sender; null where there is nothing to say. */
export const footerBrandOf = ({ name, address }: Brand = {}): FooterBrand | null =>
  name === undefined && address === undefined ? null : { name: name ?? null, address: address ?? null };

/** Returns the name that readers know a project by. */
export const senderName = ({ name, brand }: { readonly name: string; readonly brand?: Brand }): string => brand?.name ?? name;

/** Returns black or white: what is better to read on a color given as `#rrggbb`. One of the two always has a contrast of at least 4.5. */
export function inkOn(color: string): '#000' | '#fff' {
  return contrast(color, '#000000') > contrast(color, '#ffffff') ? '#000' : '#fff';
}
