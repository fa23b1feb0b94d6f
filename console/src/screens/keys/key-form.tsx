import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { beginningOf } from '../../parts/dates.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ChoiceField, TextField } from '../../parts/fields.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { useSession } from '../../session/session.ts';

type Written = Required<Omit<Schemas['CreateKeyRequest'], 'expiresAt'>> & { readonly lastDay: string };

const KINDS = [
  ['secret', 'Secret: for your servers'],
  ['test', 'Test: nothing is delivered'],
  ['public', 'Public: web pages may post events'],
] as const;
const SCOPES = [
  ['full', 'Everything'],
  ['sending', 'Send, and read e-mails'],
  ['read', 'Read'],
] as const;

const DAY_MS = 86_400_000;

/** The instant after the last day on which it works. */
const endOf = (lastDay: string): string => new Date(Date.parse(beginningOf(lastDay) ?? '') + DAY_MS).toISOString();

/** The one time that a key is seen. It is in this page's memory until then, and nowhere else in the browser. */
const KeyDialog = ({ value, close }: { readonly value: string | null; readonly close: () => void }): ReactNode => (
  <Dialog title="The key" isOpen={value !== null} close={close}>
    <p>Keep it now: it is shown this once, and only a hash of it is stored.</p>
    <pre tabIndex={0}>{value}</pre>
    <div className="actions">
      <button type="button" className="primary" onClick={close}>
        I have kept it
      </button>
    </div>
  </Dialog>
);

/** Makes a key. */
export function KeyForm(): ReactNode {
  const { testMode } = useSession();
  const fresh: Written = { kind: testMode ? 'test' : 'secret', scope: 'sending', lastDay: '' };
  const [written, setWritten] = useState(fresh);
  const [made, setMade] = useState<string | null>(null);
  const queries = useQueryClient();
  const { kind, scope, lastDay } = written;
  const put =
    (name: keyof Written) =>
    (value: string): void =>
      setWritten((before) => ({ ...before, [name]: value }));
  const send = async (): Promise<void> => {
    const body = { kind, ...(kind !== 'public' && { scope }), ...(lastDay !== '' && { expiresAt: endOf(lastDay) }) };
    setMade((await api.createKey(body)).key);
  };
  return (
    <>
      <FormDialog
        label="Make key"
        title="Make a key"
        primary
        save="Make"
        begin={() => setWritten(fresh)}
        send={send}
        done={() => void queries.invalidateQueries({ queryKey: ['keys'] })}
      >
        <ChoiceField
          label="Kind"
          value={kind}
          change={put('kind')}
          options={testMode ? KINDS.filter(([name]) => name === 'test') : KINDS}
        />
        {kind !== 'public' && <ChoiceField label="It may" value={scope} change={put('scope')} options={SCOPES} />}
        <TextField label="Last day" type="date" value={lastDay} change={put('lastDay')} hint="Without one the key has no end." />
      </FormDialog>
      <KeyDialog value={made} close={() => setMade(null)} />
    </>
  );
}
