import type { ReactNode } from 'react';
import { FullWindow } from '../full-window.tsx';
import { Studio } from './studio.tsx';
import type { StudioProps } from './studio.tsx';

/** Shows the editor over the whole page. */
export const StudioWindow = (props: StudioProps): ReactNode => (
  <FullWindow title="Design the mail">
    <Studio {...props} />
  </FullWindow>
);
