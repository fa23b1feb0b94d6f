import { useQuery } from '@tanstack/react-query';
import { Component, createElement, useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { Route, Routes, useLocation } from 'react-router';
import { Page } from '../parts/page.tsx';
import { ScreenIcon } from '../parts/screen-icon.ts';
import { dismiss } from '../parts/toasts/store.ts';
import { Toasts } from '../parts/toasts/toasts.tsx';
import { Failure, Loading, NoPermission, NotThere } from '../parts/states.tsx';
import { SCREENS } from '../screens/index.ts';
import type { Screen } from './screen.ts';
import { useMay } from '../session/session.ts';
import { fetching } from './fetching.ts';
import { Navigation } from './navigation.tsx';

interface BoundaryProps {
  readonly children: ReactNode;
}

/** Shows an error within a screen instead of it; the rest of the console continues to work. */
class Boundary extends Component<BoundaryProps, { readonly error: Error | null }> {
  override state: { readonly error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error ? <Failure error={error} again={() => location.reload()} /> : this.props.children;
  }
}

/** Finds the entry of a screen in the navigation, or that of the screen above it. */
const entryOf = ({ path }: Screen): Screen['entry'] =>
  SCREENS.findLast(({ entry, path: own }) => entry && (own === path || path.startsWith(`${own}/`)))?.entry;

interface FetchedProps {
  readonly screen: Screen;
  /** Title of the page while the screen has none. */
  readonly title: string;
}

function Fetched({ screen, title }: FetchedProps): ReactNode {
  const { data: Shown, error } = useQuery(fetching(screen));
  if (Shown) return <Shown />;
  if (!error) return <Loading what="the page" />;
  return (
    <Page title={title}>
      {/* Loads the whole page again: a browser does not fetch a failed module twice, and the console may have been replaced since. */}
      <Failure error={error} again={() => location.reload()} />
    </Page>
  );
}

function Guarded({ screen }: { readonly screen: Screen }): ReactNode {
  const { icon, label = 'Lettermill' } = entryOf(screen) ?? {};
  const picture = icon ? createElement(icon, { 'aria-hidden': true, size: 30, strokeWidth: 1.5 }) : null;
  const refused = (
    <Page title={label}>
      <NoPermission />
    </Page>
  );
  const shown = useMay(screen.needs) ? <Fetched screen={screen} title={label} /> : refused;
  return <ScreenIcon value={picture}>{shown}</ScreenIcon>;
}

/** Shows the console of a session: the way to each screen, and the screen that is open. */
export function App({ left }: { readonly left: () => void }): ReactNode {
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    // Moves a reader who follows a link with the keyboard or a screen reader to the new page, unless the page has its own place to begin.
    if (!isFirst.current && !main.current?.contains(document.activeElement)) main.current?.focus();
    isFirst.current = false;
  }, [pathname]);
  useEffect(() => () => dismiss(), []);
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to content
      </a>
      <Navigation left={left} />
      <main id="main" ref={main} tabIndex={-1}>
        <Boundary key={pathname}>
          <Routes>
            {SCREENS.map((screen) => (
              <Route key={screen.path} path={screen.path} element={<Guarded screen={screen} />} />
            ))}
            <Route
              path="*"
              element={
                <Page title="Lettermill">
                  <NotThere what="Page" />
                </Page>
              }
            />
          </Routes>
        </Boundary>
      </main>
      <Toasts />
    </div>
  );
}
