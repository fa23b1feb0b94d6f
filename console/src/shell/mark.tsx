import type { ReactNode } from 'react';

/** Draws the sign of Lettermill. */
export const Mark = (): ReactNode => (
  <svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="8" className="mark-ground" />
    <path d="M7 11.5 16 18l9-6.5V22H7z" className="mark-letter" />
    <path d="m7 10 9 6.5L25 10z" className="mark-flap" />
  </svg>
);
