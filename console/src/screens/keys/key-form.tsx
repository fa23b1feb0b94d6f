import { useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { useChanged } from '../../parts/changed.ts';
import { endOf } from '../../parts/dates.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ChoiceField, TextField } from '../../parts/fields.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { useSession } from '../../session/session.ts';

type Written = Required<Omit<Schemas['CreateKeyRequest'], 'expiresAt'>> & { readonly lastDay: string };

const KINDS = [
  ['secret', 'Secret: for your servers'],
  ['test', 'Test: nothing is delivered'],
  ['public', 'Public: send events from web pages'],
] as const;
const SCOPES = [
  ['full', 'Full access'],
  ['sending', 'Send and read emails'],
  ['read', 'Read only'],
] as const;

/** The scopes that the API lets a role give; all for every other grant. */
const SCOPES_OF: Readonly<Record<string, readonly string[]>> = { marketer: ['sending', 'read'], analyst: ['read'], approver: ['read'] };

/** Returns the kinds and scopes of keys that the reader may create. */
function useChoices() {
  const { testMode, grant } = useSession();
  const allowed = SCOPES_OF[grant];
  const kinds = KINDS.filter(([kind]) => (testMode ? kind === 'test' : kind !== 'public' || allowed?.includes('sending') !== false));
  return { kinds, scopes: allowed ? SCOPES.filter(([scope]) => allowed.includes(scope)) : SCOPES };
}

/** Shows a key, once: it is in this page's memory until then, and nowhere else in the browser. */
const KeyDialog = ({ value, close }: { readonly value: string | null; readonly close: () => void }): ReactNode => (
  <Dialog title="New key" isOpen={value !== null} close={close}>
    <p>Copy the key now. It is shown only once; Lettermill stores only a hash.</p>
    <pre tabIndex={0}>{value}</pre>
    <div className="actions">
      <button type="button" className="primary" onClick={close}>
        I have saved it
      </button>
    </div>
  </Dialog>
);

/** Creates a key. */
export function KeyForm(): ReactNode {
  const { testMode } = useSession();
  const { kinds, scopes } = useChoices();
  const fresh: Written = { kind: testMode ? 'test' : 'secret', scope: scopes.length === 1 ? 'read' : 'sending', lastDay: '' };
  const [written, setWritten] = useState(fresh);
  const [made, setMade] = useState<string | null>(null);
  const changed = useChanged('keys');
  const { kind, scope, lastDay } = written;
  const put =
    (name: keyof Written) =>
    (value: string): void =>
      setWritten((before) => ({ ...before, [name]: value }));
  const send = async (): Promise<void> => {
    const expiresAt = endOf(lastDay);
    const body = { kind, ...(kind !== 'public' && { scope }), ...(expiresAt !== undefined && { expiresAt }) };
    setMade((await api.createKey(body)).key);
  };
  return (
    <>
      <FormDialog
        label="Create key"
        title="Create a key"
        primary
        save="Create key"
        begin={() => setWritten(fresh)}
        send={send}
        done={changed}
      >
        <ChoiceField label="Type" value={kind} change={put('kind')} options={kinds} />
        {kind !== 'public' && <ChoiceField label="Scope" value={scope} change={put('scope')} options={scopes} />}
        <TextField label="Expires on" type="date" value={lastDay} change={put('lastDay')} hint="Empty: the key does not expire." />
      </FormDialog>
      <KeyDialog value={made} close={() => setMade(null)} />
    </>
  );
}
