import { useEffect, useId, useRef } from 'react';
import type { ReactNode } from 'react';

interface FrameProps {
  readonly title: string;
  readonly html: string;
}

/** A message as its reader sees it, in a document of its own that runs no script, sends no form and fetches nothing. */
export function MessageFrame({ title, html }: FrameProps): ReactNode {
  const name = useId();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.submit(), [html]);
  return (
    <>
      <form ref={form} method="post" action="/console/frame" target={name} hidden>
        <textarea name="html" value={html} readOnly />
      </form>
      <iframe name={name} title={title} className="message" sandbox="allow-popups allow-popups-to-escape-sandbox" />
    </>
  );
}
