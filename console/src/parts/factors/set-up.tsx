import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { CopyButton } from '../copy.tsx';
import { Dialog } from '../dialog.tsx';
import { TextField } from '../fields.tsx';
import { Faults, FormDialog } from '../form.tsx';
import { factors } from './calls.ts';
import { QrCode } from './qr.tsx';

interface CodeProps {
  readonly value: string;
  readonly change: (code: string) => void;
  readonly hint?: string;
}

/** Shows a field for a code of the authenticator app. */
export const CodeField = ({ value, change, hint }: CodeProps): ReactNode => (
  <TextField
    label="Code"
    value={value}
    change={change}
    autoComplete="one-time-code"
    spellCheck={false}
    maxLength={40}
    required
    {...(hint !== undefined && { hint })}
  />
);

interface SetUpProps {
  /** Called when the factor is set up, with the recovery codes that came with it. */
  readonly done: (recoveryCodes: readonly string[] | null) => void;
}

/** Sets up an authenticator app: it reads the QR code, and shows a code that proves it. */
export function SetUpApp({ done }: SetUpProps): ReactNode {
  const [code, setCode] = useState('');
  const starting = useMutation({ mutationFn: factors.beginTotp });
  const begun = starting.data;
  return (
    <FormDialog
      label="Set up authenticator app"
      title="Set up an authenticator app"
      save="Turn on"
      begin={() => {
        setCode('');
        starting.mutate();
      }}
      send={async () => done((await factors.confirmTotp(code)).recoveryCodes)}
    >
      <Faults error={starting.error} />
      {begun && (
        <>
          <p>Scan this code with the app, or enter the secret there.</p>
          <QrCode text={begun.url} label="QR code of the secret" />
          <p>
            Secret: <code className="secret">{begun.secret}</code>
          </p>
        </>
      )}
      <CodeField value={code} change={setCode} hint="The six digits that the app shows now" />
    </FormDialog>
  );
}

/** Adds a passkey. */
export function AddPasskey({ done }: SetUpProps): ReactNode {
  const [name, setName] = useState('');
  return (
    <FormDialog
      label="Add passkey"
      title="Add a passkey"
      save="Continue"
      begin={() => setName('')}
      send={async () => done((await factors.addPasskey(name)).recoveryCodes)}
    >
      <TextField label="Name" value={name} change={setName} hint="The device that it is on, such as Laptop" maxLength={100} required />
    </FormDialog>
  );
}

interface CodesProps {
  /** Null closes the window. */
  readonly codes: readonly string[] | null;
  readonly close: () => void;
}

/** Shows recovery codes, once. */
export const RecoveryCodes = ({ codes, close }: CodesProps): ReactNode => (
  <Dialog title="Keep your recovery codes" isOpen={codes !== null} close={close}>
    <p>Each code signs you in once if you lose your second factor. They are not shown again.</p>
    <ul className="codes">
      {(codes ?? []).map((code) => (
        <li key={code}>
          <code>{code}</code>
        </li>
      ))}
    </ul>
    <CopyButton label="Copy codes" text={(codes ?? []).join('\n')} />
    <div className="actions">
      <button type="button" className="primary" onClick={close}>
        I have kept them
      </button>
    </div>
  </Dialog>
);
