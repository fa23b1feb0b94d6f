import { useState } from 'react';
import type { ReactNode } from 'react';
import { CloseButton, Dialog } from '../../parts/dialog.tsx';
import { CheckField } from '../../parts/fields.tsx';
import { areKeysOn, isMac, switchKeys, useKeys } from './keys.ts';
import { ROW_KEYS } from './rows.ts';
import './shortcuts.css';

type Shortcut = readonly [keys: string, words: string];

const CTRL = isMac ? '⌘' : 'Ctrl';

const SINGLE: readonly Shortcut[] = [
  ['/', 'Go to the filters of the list, or search'],
  ['j', 'Next row'],
  ['k', 'Previous row'],
  ['Enter', 'Open the row'],
  ['x', 'Select the row'],
  ['?', 'Show the shortcuts'],
];

const OTHERS: readonly (readonly [place: string, shortcuts: readonly Shortcut[]])[] = [
  ['Everywhere', [[`${CTRL} K`, 'Search']]],
  [
    'Graph of an automation',
    [
      ['Enter', 'Choose the step'],
      ['Arrow keys', 'Move the step'],
      ['Delete', 'Remove the step or connection'],
      [`${CTRL} C`, 'Copy the step'],
      [`${CTRL} V`, 'Paste the step, here or in another automation'],
      [`${CTRL} Z`, 'Undo'],
      [`${CTRL} Shift Z`, 'Redo'],
    ],
  ],
  [
    'Design of a message',
    [
      ['Arrow keys', 'Go to the next or previous block'],
      ['Enter', 'Edit the block'],
      ['Escape', 'Leave the text'],
      ['Alt Arrow key', 'Move the block'],
      [`${CTRL} D`, 'Duplicate the block'],
      ['Delete', 'Remove the block'],
      [`${CTRL} Z`, 'Undo'],
      [`${CTRL} Shift Z`, 'Redo'],
    ],
  ],
];

const Keys = ({ shortcuts }: { readonly shortcuts: readonly Shortcut[] }): ReactNode => (
  <dl className="shortcuts">
    {shortcuts.map(([keys, words]) => (
      <div key={keys}>
        <dt>
          <kbd>{keys}</kbd>
        </dt>
        <dd>{words}</dd>
      </div>
    ))}
  </dl>
);

function SingleKeys(): ReactNode {
  const [areOn, setOn] = useState(areKeysOn);
  const change = (on: boolean): void => {
    switchKeys(on);
    setOn(on);
  };
  return (
    <section>
      <h3>Single keys</h3>
      <CheckField label="Use single keys in this browser" checked={areOn} change={change} />
      <Keys shortcuts={SINGLE} />
    </section>
  );
}

/** Shows all shortcuts, and switches those of single keys. Opens with ?, or its button. */
export function Shortcuts(): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const [openKeys] = useState({ '?': () => setOpen(true) });
  useKeys(openKeys);
  useKeys(ROW_KEYS);
  return (
    <>
      <button type="button" className="quiet" onClick={() => setOpen(true)}>
        Shortcuts
      </button>
      <Dialog title="Keyboard shortcuts" isOpen={isOpen} close={() => setOpen(false)}>
        <SingleKeys />
        {OTHERS.map(([place, shortcuts]) => (
          <section key={place}>
            <h3>{place}</h3>
            <Keys shortcuts={shortcuts} />
          </section>
        ))}
        <CloseButton close={() => setOpen(false)} />
      </Dialog>
    </>
  );
}
