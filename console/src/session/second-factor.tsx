import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode, SubmitEvent } from 'react';
import { signOut, switchProject } from '../parts/api.ts';
import type { WaitingSession } from '../parts/api.ts';
import { showCode } from '../parts/factors/calls.ts';
import { AddPasskey, CodeField, RecoveryCodes, SetUpApp } from '../parts/factors/set-up.tsx';
import { Faults } from '../parts/form.tsx';
import { Mark } from '../shell/mark.tsx';
import { PasskeySignIn } from './passkey.tsx';

interface DoneProps {
  readonly done: () => void;
}

/** Asks for a code of the person, or a passkey. */
function ShowFactor({ done }: DoneProps): ReactNode {
  const [code, setCode] = useState('');
  const sending = useMutation({ mutationFn: showCode, onSuccess: done });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    sending.mutate(code);
  };
  return (
    <>
      <h1>Confirm that it is you</h1>
      <form onSubmit={submit}>
        <CodeField value={code} change={setCode} hint="The six digits that your authenticator app shows, or a recovery code" />
        <Faults error={sending.error} />
        <button type="submit" className="primary" disabled={sending.isPending}>
          Continue
        </button>
      </form>
      <PasskeySignIn label="Use a passkey" done={done} />
    </>
  );
}

interface EnrollProps extends DoneProps {
  readonly waiting: WaitingSession;
}

/** Leads a person who has no second factor to set one up. */
function Enroll({ waiting: { projectId, projects }, done }: EnrollProps): ReactNode {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const switching = useMutation({ mutationFn: switchProject, onSuccess: done });
  const enrolled = (recoveryCodes: readonly string[] | null): void => (recoveryCodes === null ? done() : setCodes(recoveryCodes));
  return (
    <>
      <h1>Set up a second factor</h1>
      <p>This project requires one. You are asked for it each time you sign in.</p>
      <AddPasskey done={enrolled} />
      <SetUpApp done={enrolled} />
      {projects
        .filter((project) => project.projectId !== projectId)
        .map((project) => (
          <button key={project.projectId} type="button" disabled={switching.isPending} onClick={() => switching.mutate(project.projectId)}>
            Go to {project.name}
          </button>
        ))}
      <Faults error={switching.error} />
      <RecoveryCodes codes={codes} close={done} />
    </>
  );
}

/** Takes a person on whose session waits for a second factor. */
export function SecondFactor({ waiting, done }: EnrollProps): ReactNode {
  const leaving = useMutation({ mutationFn: signOut, onSuccess: done });
  return (
    <main className="sign-in">
      <div className="card">
        <Mark />
        {waiting.waits === 'code' ? <ShowFactor done={done} /> : <Enroll waiting={waiting} done={done} />}
        <button type="button" disabled={leaving.isPending} onClick={() => leaving.mutate()}>
          Sign out
        </button>
      </div>
    </main>
  );
}
