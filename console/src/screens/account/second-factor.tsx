import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Confirm } from '../../parts/confirm.tsx';
import { When } from '../../parts/dates.tsx';
import { factors } from '../../parts/factors/calls.ts';
import type { Passkey } from '../../parts/factors/calls.ts';
import { AddPasskey, CodeField, RecoveryCodes, SetUpApp } from '../../parts/factors/set-up.tsx';
import { TextField } from '../../parts/fields.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { Card, Facts } from '../../parts/page.tsx';
import { Answer } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';

const KEY = ['factors'];

interface ChangedProps {
  readonly changed: () => void;
}

function TurnOff({ changed }: ChangedProps): ReactNode {
  const [code, setCode] = useState('');
  return (
    <FormDialog
      label="Turn off authenticator app"
      title="Turn off the authenticator app"
      save="Turn off"
      begin={() => setCode('')}
      send={() => factors.disableTotp(code)}
      done={changed}
      said="Authenticator app turned off."
    >
      <CodeField value={code} change={setCode} hint="The six digits that the app shows now, or a recovery code" />
    </FormDialog>
  );
}

interface PasskeyProps extends ChangedProps {
  readonly passkey: Passkey;
}

function PasskeyActions({ passkey: { passkeyId, name }, changed }: PasskeyProps): ReactNode {
  const [written, setWritten] = useState(name);
  return (
    <div className="actions">
      <FormDialog
        label="Rename"
        title={`Rename ${name}`}
        begin={() => setWritten(name)}
        send={() => factors.renamePasskey(passkeyId, written)}
        done={changed}
        said="Passkey renamed."
      >
        <TextField label="Name" value={written} change={setWritten} maxLength={100} required />
      </FormDialog>
      <Confirm
        label="Remove"
        title={`Remove ${name}?`}
        danger
        act={() => factors.removePasskey(passkeyId)}
        done={changed}
        said={`${name} removed.`}
      >
        You can no longer sign in with it. Delete it on your device too.
      </Confirm>
    </div>
  );
}

const PasskeyRow = ({ passkey, changed }: PasskeyProps): ReactNode => (
  <tr>
    <td>{passkey.name}</td>
    <td>
      <When at={passkey.createdAt} />
    </td>
    <td>{passkey.lastUsedAt === null ? 'Never' : <When at={passkey.lastUsedAt} />}</td>
    <td>{<PasskeyActions passkey={passkey} changed={changed} />}</td>
  </tr>
);

/** Shows and changes the second factors of the person. */
export function SecondFactorCard(): ReactNode {
  const queries = useQueryClient();
  const query = useQuery({ queryKey: KEY, queryFn: factors.show });
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const changed = (): void => {
    void queries.invalidateQueries({ queryKey: KEY });
    // Without the last one, the project may want a new one at once.
    void queries.invalidateQueries({ queryKey: ['session'] });
  };
  const enrolled = (recoveryCodes: readonly string[] | null): void => {
    setCodes(recoveryCodes);
    changed();
  };
  const renew = async (): Promise<void> => enrolled((await factors.renewCodes()).recoveryCodes);
  return (
    <Card title="Second factor">
      <p className="hint">You enter it after you open the sign-in link. A passkey signs you in without a link.</p>
      <Answer query={query} what="your second factors">
        {({ totpSince, recoveryCodesLeft, passkeys }) => (
          <>
            <Facts
              facts={[
                ['Authenticator app', totpSince === null ? 'Off' : <When key="since" at={totpSince} />],
                ['Recovery codes left', recoveryCodesLeft],
              ]}
            />
            {passkeys.length > 0 && (
              <Table label="Your passkeys" columns={['Passkey', 'Added', 'Last used', 'Action']}>
                {passkeys.map((passkey) => (
                  <PasskeyRow key={passkey.passkeyId} passkey={passkey} changed={changed} />
                ))}
              </Table>
            )}
            <div className="actions">
              <AddPasskey done={enrolled} />
              {totpSince === null ? <SetUpApp done={enrolled} /> : <TurnOff changed={changed} />}
              {(totpSince !== null || passkeys.length > 0) && (
                <Confirm label="New recovery codes" title="Make new recovery codes?" act={renew}>
                  The codes that you have now stop working.
                </Confirm>
              )}
            </div>
          </>
        )}
      </Answer>
      <RecoveryCodes codes={codes} close={() => setCodes(null)} />
    </Card>
  );
}
