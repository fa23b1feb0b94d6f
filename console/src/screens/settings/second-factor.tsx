import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Faults } from '../../parts/form.tsx';
import { Card } from '../../parts/page.tsx';
import { useSession } from '../../session/session.ts';

import { say } from '../../parts/toasts/store.ts';

type Settings = Schemas['Settings'];

interface Props extends Pick<Settings, 'membersNeedSecondFactor'> {
  readonly changed: (settings: Settings) => void;
}

/** Shows and changes whether members need a second factor. */
export function SecondFactorCard({ membersNeedSecondFactor, changed }: Props): ReactNode {
  const { grant } = useSession();
  const saving = useMutation({
    mutationFn: (needed: boolean) => api.updateSettings({ membersNeedSecondFactor: needed }),
    onSuccess: (settings) => {
      changed(settings);
      say('Second factor saved.');
    },
  });
  return (
    <Card title="Second factor">
      <p className="hint">
        Members without a second factor must set one up right away, even if they are already signed in. Only an owner can change this.
      </p>
      <label className="tick">
        <input
          type="checkbox"
          disabled={grant !== 'owner' || saving.isPending}
          checked={membersNeedSecondFactor}
          onChange={({ target }) => saving.mutate(target.checked)}
        />
        Members need a second factor
      </label>
      <Faults error={saving.error} />
    </Card>
  );
}
