import { useQuery } from '@tanstack/react-query';
import { Circle, CircleCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import { Card } from '../../parts/page.tsx';
import { useMay, useSession } from '../../session/session.ts';
import './first-steps.css';

interface Step {
  readonly title: string;
  readonly why: string;
  readonly to: string;
  readonly label: string;
  readonly isDone: () => Promise<boolean>;
}

const one = { limit: 1 } as const;

/** The steps that a new project takes before its mail arrives, in order. */
const STEPS: readonly Step[] = [
  {
    title: 'Verify a sending domain',
    why: 'Mailbox providers accept mail that your domain signs.',
    to: '/domains',
    label: 'Add a domain',
    isDone: async () => (await api.listDomains().toArray(100)).some(({ status }) => status === 'verified'),
  },
  {
    title: 'Add contacts',
    why: 'Import a CSV file, or move from another service.',
    to: '/contacts/import',
    label: 'Import contacts',
    isDone: async () => (await api.listContacts(one).page()).rows.length > 0,
  },
  {
    title: 'Create a template',
    why: 'Write a message once, and use it in sends and automations.',
    to: '/templates/start',
    label: 'Create a template',
    isDone: async () => (await api.listTemplates(one).page()).rows.length > 0,
  },
  {
    title: 'Send your first message',
    why: 'Create a campaign, or call the API with a key.',
    to: '/campaigns/start',
    label: 'Create a campaign',
    isDone: async () => (await api.listEmails(one).page()).rows.length > 0,
  },
  {
    title: 'Receive webhooks',
    why: 'Let your application know about deliveries, bounces and clicks.',
    to: '/webhooks',
    label: 'Add an endpoint',
    isDone: async () => (await api.listWebhooks(one).page()).rows.length > 0,
  },
];

const progressOf = (): Promise<readonly boolean[]> => Promise.all(STEPS.map(({ isDone }) => isDone()));

/** Remembers for this browser that a project needs the list no longer: it is not asked for on each visit. */
function useHidden(): readonly [boolean, () => void] {
  const name = `first-steps-${useSession().project.id}`;
  const [isHidden, setHidden] = useState(() => localStorage.getItem(name) !== null);
  const hide = (): void => {
    localStorage.setItem(name, 'hidden');
    setHidden(true);
  };
  return [isHidden, hide];
}

const StepRow = ({ step: { title, why, to, label }, isDone }: { readonly step: Step; readonly isDone: boolean }): ReactNode => {
  const Icon = isDone ? CircleCheck : Circle;
  return (
    <li className={isDone ? 'done' : undefined}>
      <Icon aria-hidden="true" size={20} />
      <div>
        <strong>{title}</strong>
        {isDone ? <span className="unseen"> (done)</span> : <p className="hint">{why}</p>}
      </div>
      {!isDone && (
        <Link className="button" to={to}>
          {label}
        </Link>
      )}
    </li>
  );
};

/** Returns the steps of the project; `isKnown` once it is certain whether there is anything left to show. */
export function useFirstSteps() {
  const mayChange = useMay('change');
  const [isHidden, hide] = useHidden();
  const isWanted = mayChange && !isHidden;
  const { data, isPending } = useQuery({ queryKey: ['first-steps'], queryFn: progressOf, enabled: isWanted, retry: false });
  const isOver = data?.every(Boolean) === true;
  useEffect(() => {
    if (isOver && !isHidden) hide();
  });
  return { isKnown: !isWanted || !isPending, done: isWanted && !isOver ? (data ?? null) : null, hide };
}

interface FirstStepsProps {
  readonly done: readonly boolean[];
  readonly hide: () => void;
}

/** Leads a new project to its first delivered message. */
export const FirstSteps = ({ done, hide }: FirstStepsProps): ReactNode => (
  <Card
    title="Get started"
    actions={
      <button type="button" className="quiet" onClick={hide}>
        Dismiss
      </button>
    }
  >
    <p className="hint">
      {done.filter(Boolean).length} of {STEPS.length} steps done
    </p>
    <ol className="first-steps">
      {STEPS.map((step, at) => (
        <StepRow key={step.title} step={step} isDone={done[at] === true} />
      ))}
    </ol>
  </Card>
);
