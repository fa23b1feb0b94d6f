import { useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { TextField } from '../../parts/fields.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { count } from '../../parts/numbers.ts';
import { Card } from '../../parts/page.tsx';
import { useMay } from '../../session/session.ts';

type Settings = Schemas['Settings'];

interface Props extends Pick<Settings, 'approvalNeededAbove'> {
  readonly changed: (settings: Settings) => void;
}

/** Shows and changes from how many recipients on another person has to approve. */
export function ApprovalsCard({ approvalNeededAbove: most, changed }: Props): ReactNode {
  const mayChange = useMay('change');
  const [written, setWritten] = useState('');
  const save = async (): Promise<void> =>
    changed(await api.updateSettings({ approvalNeededAbove: written.trim() === '' ? null : Number(written) }));
  return (
    <Card title="Approvals">
      <p>
        {most === null
          ? 'Campaigns and batches need no approval.'
          : `Campaigns and batches to more than ${count(most)} recipients need the approval of another person.`}
      </p>
      {mayChange && (
        <FormDialog
          label="Edit approvals"
          title="Edit approvals"
          save="Save approvals"
          begin={() => setWritten(most === null ? '' : String(most))}
          send={save}
          said="Approvals saved."
        >
          <TextField
            label="Recipients without an approval"
            type="number"
            value={written}
            change={setWritten}
            hint="More than this need the approval of another key or session. Empty: no approvals"
          />
        </FormDialog>
      )}
    </Card>
  );
}
