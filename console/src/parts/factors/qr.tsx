import type { ReactNode } from 'react';
import { encode } from 'uqr';

/** Light modules around the code, by which cameras find it (ISO/IEC 18004). */
const QUIET = 4;

/** Shows a QR code, in black and white whatever the colors of the page are. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  const { size, data } = encode(text, { border: QUIET });
  const modules = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg className="qr" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={modules.join('')} fill="#000" />
    </svg>
  );
}
