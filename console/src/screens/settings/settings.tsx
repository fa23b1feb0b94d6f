import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { useAnswered, useChanged } from '../../parts/changed.ts';
import { When } from '../../parts/dates.tsx';
import { Card, Facts, Page } from '../../parts/page.tsx';
import { TextField } from '../../parts/fields.tsx';
import { Faults, FormDialog } from '../../parts/form.tsx';
import { Answer } from '../../parts/states.tsx';
import { say } from '../../parts/toasts/store.ts';
import { useMay, useSession } from '../../session/session.ts';
import { ApprovalsCard } from './approvals.tsx';
import { BrandCard } from './brand.tsx';
import { CapsCard } from './caps.tsx';
import { MembersCard } from './members.tsx';
import { SecondFactorCard } from './second-factor.tsx';
import { WindowsCard } from './windows.tsx';

type Settings = Schemas['Settings'];

const TYPES = [
  ['transactional', 'Transactional mail'],
  ['marketing', 'Marketing mail, including campaigns'],
] as const;
const FOLLOWED = [
  ['opens', 'Track opens (invisible image)'],
  ['clicks', 'Track clicks (rewritten links)'],
] as const;

const KEY = ['settings'];

interface Changes {
  readonly changed: (settings: Settings) => void;
}

function Tracking({ tracking, changed }: Pick<Settings, 'tracking'> & Changes): ReactNode {
  const mayChange = useMay('manage');
  const saving = useMutation({
    mutationFn: (wish: NonNullable<Schemas['UpdateSettingsRequest']['tracking']>) => api.updateSettings({ tracking: wish }),
    onSuccess: (settings) => {
      changed(settings);
      say('Tracking saved.');
    },
  });
  return (
    <Card title="Tracking">
      <p className="hint">Default for messages that do not set tracking. Applies from the next message.</p>
      {TYPES.map(([type, label]) => (
        <fieldset key={type} className="choices" disabled={!mayChange || saving.isPending}>
          <legend>{label}</legend>
          {FOLLOWED.map(([what, words]) => (
            <label key={what}>
              <input
                type="checkbox"
                checked={tracking[type][what]}
                onChange={({ target }) => saving.mutate({ [type]: { ...tracking[type], [what]: target.checked } })}
              />
              {words}
            </label>
          ))}
        </fieldset>
      ))}
      <Faults error={saving.error} />
    </Card>
  );
}

function Project({ name, changed }: Pick<Settings, 'name'> & Changes): ReactNode {
  const mayChange = useMay('manage');
  const sessionChanged = useChanged('session');
  const { project, testMode, expiresAt } = useSession();
  const [written, setWritten] = useState(name);
  const rename = async (): Promise<void> => {
    changed(await api.updateSettings({ name: written }));
    sessionChanged();
  };
  return (
    <Card title="Project">
      <Facts
        facts={[
          ['Name', name],
          ['ID', <code key="id">{project.id}</code>],
          ['Plan', project.plan],
          ['Sending', project.disabled ? 'Disabled by an operator' : 'Enabled'],
          [
            'Session',
            <span key="session">
              {testMode && 'Test mode, '}until <When at={expiresAt} />
            </span>,
          ],
        ]}
      />
      {mayChange && (
        <FormDialog label="Rename project" title="Rename the project" said="Project renamed." send={rename} begin={() => setWritten(name)}>
          <TextField
            label="Name"
            hint="Recipients see it on the unsubscribe page."
            value={written}
            change={setWritten}
            maxLength={200}
            required
          />
        </FormDialog>
      )}
    </Card>
  );
}

/** Shows the settings of the whole project. */
export function SettingsPage(): ReactNode {
  const answered = useAnswered(KEY);
  const query = useQuery({ queryKey: KEY, queryFn: () => api.getSettings() });
  return (
    <Page title="Settings">
      <Answer query={query} what="the settings">
        {({ name, tracking, brand, windows, frequencyCaps, approvalNeededAbove, membersNeedSecondFactor }) => (
          <>
            <Project name={name} changed={answered} />
            <MembersCard />
            <SecondFactorCard membersNeedSecondFactor={membersNeedSecondFactor} changed={answered} />
            <BrandCard brand={brand} changed={answered} />
            <WindowsCard windows={windows} changed={answered} />
            <ApprovalsCard approvalNeededAbove={approvalNeededAbove} changed={answered} />
            <CapsCard caps={frequencyCaps} changed={answered} />
            <Tracking tracking={tracking} changed={answered} />
          </>
        )}
      </Answer>
    </Page>
  );
}
