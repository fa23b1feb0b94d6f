import { Suspense, useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { Route, Routes, useLocation } from 'react-router';
import { Loading, NoPermission, NotThere } from '../parts/states.tsx';
import { SCREENS } from '../screens/index.ts';
import type { Screen } from './screen.ts';
import { useMay } from '../session/session.ts';
import { Boundary } from './boundary.tsx';
import { Navigation } from './navigation.tsx';

function Guarded({ screen: { needs, View } }: { readonly screen: Screen }): ReactNode {
  return useMay(needs) ? <View /> : <NoPermission />;
}

/** Shows the console of a session: the way to each screen, and the screen that is open. */
export function App({ left }: { readonly left: () => void }): ReactNode {
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    // Moves a reader who follows a link with the keyboard or a screen reader to the new page.
    if (!isFirst.current) main.current?.focus();
    isFirst.current = false;
  }, [pathname]);
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to content
      </a>
      <Navigation left={left} />
      <main id="main" ref={main} tabIndex={-1}>
        <Boundary key={pathname}>
          <Suspense fallback={<Loading what="the page" />}>
            <Routes>
              {SCREENS.map((screen) => (
                <Route key={screen.path} path={screen.path} element={<Guarded screen={screen} />} />
              ))}
              <Route path="*" element={<NotThere what="Page" />} />
            </Routes>
          </Suspense>
        </Boundary>
      </main>
    </div>
  );
}
