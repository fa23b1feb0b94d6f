import { useEffect, useId, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { CheckField } from './fields.tsx';

interface FrameProps {
  readonly title: string;
  readonly html: string;
  /** Whether pictures are loaded from where they are. Of mail that was sent they would count as an open. */
  readonly pictures?: boolean;
  /** Whether it is a few lines only. */
  readonly short?: boolean;
}

/** Shows a message as its reader sees it, in a document of its own that runs no script and sends no form. */
export function MessageFrame({ title, html, pictures = false, short = false }: FrameProps): ReactNode {
  const name = useId();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.submit(), [html, pictures]);
  return (
    <>
      <form ref={form} method="post" action="/console/frame" target={name} hidden>
        <textarea name="html" value={html} readOnly />
        {pictures && <input name="pictures" value="load" readOnly />}
      </form>
      <iframe
        name={name}
        title={title}
        className={short ? 'message short' : 'message'}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
      />
    </>
  );
}

/** Shows a message that is not sent yet, with its pictures, or as a reader sees it who loads none. */
export function PreviewFrame(message: Omit<FrameProps, 'pictures'>): ReactNode {
  const [pictures, setPictures] = useState(true);
  return (
    <>
      <CheckField label="Load pictures" checked={pictures} change={setPictures} />
      <MessageFrame {...message} pictures={pictures} />
    </>
  );
}
