import * as Radix from '@radix-ui/react-dialog';
import type { ReactNode } from 'react';
import { Studio } from './studio.tsx';
import type { StudioProps } from './studio.tsx';

/** Shows the editor over the whole page. */
export const StudioWindow = (props: StudioProps): ReactNode => (
  <Radix.Root open>
    <Radix.Portal>
      <div className="studio-veil">
        {/* Escape leaves a text, and not the editor. */}
        <Radix.Content className="studio" aria-describedby={undefined} onEscapeKeyDown={(event) => event.preventDefault()}>
          <Radix.Title className="unseen">Design the mail</Radix.Title>
          <Studio {...props} />
        </Radix.Content>
      </div>
    </Radix.Portal>
  </Radix.Root>
);
