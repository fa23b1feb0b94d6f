import type { LucideIcon } from 'lucide-react';
import { createContext } from 'react';

/** The icon of the screen that is open, also of the one that it is linked from; null if there is none. */
export const ScreenIcon = createContext<LucideIcon | null>(null);
