import { useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { FormDialog } from '../../parts/form.tsx';
import { Card } from '../../parts/page.tsx';
import { WindowFields } from '../../parts/window-fields.tsx';
import { windowWords, windowsBody, writtenWindows } from '../../parts/windows.ts';
import { useMay } from '../../session/session.ts';

type Settings = Schemas['Settings'];

interface Props extends Pick<Settings, 'windows'> {
  readonly changed: (settings: Settings) => void;
}

/** Shows and changes when the project's marketing mail may go out. */
export function WindowsCard({ windows, changed }: Props): ReactNode {
  const mayChange = useMay('manage');
  const kept = windows && writtenWindows(windows);
  const [written, setWritten] = useState(kept);
  const save = async (): Promise<void> => changed(await api.updateSettings({ windows: written && windowsBody(written) }));
  return (
    <Card title="Send windows">
      <p className="hint">For marketing mail. Campaigns and automations can have windows of their own.</p>
      <p>{windows ? windowWords(windows) : 'Marketing mail is sent at any time.'}</p>
      {mayChange && (
        <FormDialog
          label="Edit send windows"
          title="Edit the send windows"
          save="Save windows"
          begin={() => setWritten(kept)}
          send={save}
          said="Send windows saved."
        >
          <WindowFields label="Send marketing mail" without="At any time" windows={written} change={setWritten} />
        </FormDialog>
      )}
    </Card>
  );
}
