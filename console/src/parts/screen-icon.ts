import { createContext } from 'react';
import type { ReactNode } from 'react';

/** The picture of the screen that is open, or of the one that it is linked from; null if there is none. */
export const ScreenIcon = createContext<ReactNode>(null);
