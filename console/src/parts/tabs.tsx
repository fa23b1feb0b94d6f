import * as Radix from '@radix-ui/react-tabs';
import type { ReactNode } from 'react';

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly { readonly name: string; readonly content: ReactNode }[];
}

/** Shows several views of one thing, one at a time. */
export const Tabs = ({ label, tabs }: TabsProps): ReactNode => (
  <Radix.Root defaultValue="0" className="tabs">
    <Radix.List aria-label={label} className="tab-list">
      {tabs.map(({ name }, at) => (
        <Radix.Trigger key={name} value={String(at)}>
          {name}
        </Radix.Trigger>
      ))}
    </Radix.List>
    {tabs.map(({ name, content }, at) => (
      <Radix.Content key={name} value={String(at)}>
        {content}
      </Radix.Content>
    ))}
  </Radix.Root>
);
