import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link, NavLink } from 'react-router';
import { signOut, switchProject } from '../parts/api.ts';
import type { Session } from '../parts/api.ts';
import { planName } from '../parts/texts.ts';
import { SCREENS } from '../screens/index.ts';
import { prefetch } from './fetching.ts';
import { GROUPS } from './screen.ts';
import { useSession } from '../session/session.ts';
import { Mark } from './mark.tsx';
import { Search } from './search/search.tsx';
import { Shortcuts } from './shortcuts/shortcuts.tsx';
import { chooseTheme, chosenTheme } from './theme.ts';
import type { Theme } from './theme.ts';

function ThemeChoice(): ReactNode {
  const [theme, setTheme] = useState(chosenTheme);
  const choose = (chosen: Theme): void => {
    chooseTheme(chosen);
    setTheme(chosen);
  };
  return (
    <label className="theme">
      <span>Theme</span>
      <select value={theme} onChange={(event) => choose(event.target.value as Theme)}>
        <option value="system">System</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  );
}

function Places({ gone }: { readonly gone: () => void }): ReactNode {
  const queries = useQueryClient();
  return GROUPS.map((group) => (
    <section key={group} aria-label={group}>
      <h2>{group}</h2>
      <ul>
        {SCREENS.map(
          ({ path, entry }) =>
            entry?.group === group && (
              <li key={path}>
                <NavLink to={path} end={path === '/'} onClick={gone} onPointerEnter={() => prefetch(queries, path)}>
                  <entry.icon aria-hidden="true" size={17} />
                  {entry.label}
                </NavLink>
              </li>
            ),
        )}
      </ul>
    </section>
  ));
}

/** Chooses among the projects of the person. The page is loaded again: all that it has is of the previous project. */
function ProjectChoice({
  current,
  projects,
}: {
  readonly current: string;
  readonly projects: NonNullable<Session['person']>['projects'];
}): ReactNode {
  const switching = useMutation({ mutationFn: switchProject, onSuccess: () => location.assign('/console/') });
  return (
    <select aria-label="Project" value={current} disabled={switching.isPending} onChange={({ target }) => switching.mutate(target.value)}>
      {projects.map(({ projectId, name }) => (
        <option key={projectId} value={projectId}>
          {name}
        </option>
      ))}
    </select>
  );
}

const GRANTS = {
  full: null,
  read: 'Read only',
  sending: 'Sending only',
  owner: null,
  admin: 'Admin',
  marketer: 'Marketer',
  analyst: 'Analyst',
  approver: 'Approver',
} as const;

/** Shows the pages of the console, the current project, and sign-out. On a narrow screen it opens by a button. */
export function Navigation({ left }: { readonly left: () => void }): ReactNode {
  const { project, grant, testMode, person } = useSession();
  const projects = person?.projects ?? [];
  const [isOpen, setOpen] = useState(false);
  const leaving = useMutation({
    mutationFn: signOut,
    onSuccess: (leave) => {
      if (leave !== null) location.assign(leave);
    },
    onSettled: left,
  });
  return (
    <header className={isOpen ? 'side open' : 'side'}>
      <div className="side-top">
        <Link to="/" className="home" aria-label="Lettermill, start page">
          <Mark />
          <span>Lettermill</span>
        </Link>
        <button type="button" className="menu" aria-expanded={isOpen} aria-controls="places" onClick={() => setOpen(!isOpen)}>
          Menu
        </button>
      </div>
      <div id="places" className="places">
        <div className="project">
          {projects.length > 1 ? <ProjectChoice current={project.id} projects={projects} /> : <strong>{project.name}</strong>}
          <span>
            {[testMode && 'Test mode', GRANTS[grant], project.disabled && 'Sending is disabled'].filter(Boolean).join(' · ') ||
              planName(project.plan)}
          </span>
        </div>
        <Search />
        <nav aria-label="Screens">
          <Places gone={() => setOpen(false)} />
        </nav>
        {person && (
          <NavLink to="/account" className="account" onClick={() => setOpen(false)}>
            {person.name ?? person.address}
          </NavLink>
        )}
        <div className="side-end">
          <ThemeChoice />
          <Shortcuts />
          <button type="button" className="quiet" onClick={() => leaving.mutate()}>
            Sign out
          </button>
        </div>
      </div>
    </header>
  );
}
