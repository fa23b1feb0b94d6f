import { useState } from 'react';
import type { ReactNode } from 'react';
import { Page } from '../../parts/page.tsx';
import { Loading } from '../../parts/states.tsx';
import { Unsaved } from '../../parts/unsaved.tsx';
import { useSession } from '../../session/session.ts';
import { DryRun } from './dry-run.tsx';
import { Files } from './files.tsx';
import { keepMove, keptMoves } from './kept.ts';
import { Kept, Progressing, Result } from './result.tsx';
import type { Service } from './services.ts';
import { useMove } from './use-move.ts';
import './moving.css';

/** Imports what was exported from another service, once it is shown what that is. */
export function Moving(): ReactNode {
  const { project } = useSession();
  const [service, setService] = useState<Service>('mailchimp');
  const [kept, setKept] = useState(() => keptMoves(project.id));
  const { move, read, bring, clear } = useMove((done) => setKept(keepMove(project.id, done)));
  const { step, numbers, outcome } = move;
  const choose = (chosen: Service): void => {
    clear();
    setService(chosen);
  };
  return (
    <Page title="Import from another service">
      <Unsaved is={step === 'importing'} title="Stop the import?" leave="Stop and leave" stay="Stay">
        The import is not complete. You can import the same files again later.
      </Unsaved>
      <Files service={service} choose={choose} take={(files) => read(service, files)} disabled={step === 'importing'} />
      {step === 'reading' && <Loading what="the files" />}
      {step === 'nothing' && move.fault !== null && (
        <p role="alert" className="notice bad">
          {move.fault}
        </p>
      )}
      {numbers && <DryRun numbers={numbers} fault={move.fault} bring={step === 'read' ? bring : null} />}
      {step === 'importing' && <Progressing progress={move.progress} />}
      {step === 'done' && outcome && <Result move={move} outcome={outcome} />}
      <Kept moves={kept} />
    </Page>
  );
}
