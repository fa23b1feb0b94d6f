import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../api.ts';
import { MessageFrame } from '../message-frame.tsx';
import { Page } from '../page.tsx';
import { sampleOf } from './sample.ts';
import { startAt } from './start.ts';
import './gallery.css';

interface CardProps {
  readonly name: string;
  readonly about: string;
  readonly to: string;
  /** Null for an empty page. */
  readonly html: string | null;
  /** Whether Enter takes this one when the page opens. */
  readonly isFirst?: boolean;
}

const focus = (link: HTMLAnchorElement | null): void => link?.focus();

/** Shows how a mail looks, in a frame that is neither read nor reached: the link says what it is. */
const Card = ({ name, about, to, html, isFirst = false }: CardProps): ReactNode => (
  <li className="start-card">
    <div className="start-sheet" aria-hidden="true" inert>
      {html !== null && <MessageFrame title={name} html={html} />}
    </div>
    <Link to={to} ref={isFirst ? focus : null}>
      {name}
    </Link>
    <p className="hint">{about}</p>
  </li>
);

const MOST = 24;

function Stored({ page }: { readonly page: string }): ReactNode {
  const { data = [] } = useQuery({
    queryKey: ['templates', 'to start'],
    queryFn: () => api.listTemplates({ archived: false, limit: MOST }).toArray(MOST),
  });
  if (data.length === 0) return null;
  return (
    <section>
      <h2>Your templates</h2>
      <ul className="start-cards">
        {data.map(({ templateId, name, subject, body }) => (
          <Card key={templateId} name={name} about={subject} to={startAt.template(page, templateId)} html={sampleOf(body)} />
        ))}
      </ul>
    </section>
  );
}

/** Shows the designs, which are fetched with the first page that shows them. */
function Gallery({ page }: { readonly page: string }): ReactNode {
  const { data = [] } = useQuery({
    queryKey: ['gallery'],
    queryFn: async () => (await import('./gallery.ts')).GALLERY,
    staleTime: Infinity,
  });
  return data.map(({ id, name, about, body }) => (
    <Card key={id} name={name} about={about} to={startAt.gallery(page, id)} html={sampleOf(body)} />
  ));
}

interface StartProps {
  readonly title: string;
  readonly under: { readonly label: string; readonly to: string };
  /** The page where the mail is written. */
  readonly page: string;
}

/** Asks what a new mail begins with: an empty page, a mail of the gallery, or a template of the project. */
export const StartPage = ({ title, under, page }: StartProps): ReactNode => (
  <Page title={title} under={under}>
    <section>
      <h2>Start from scratch, or from a design</h2>
      <ul className="start-cards">
        <Card name="Blank" about="An empty page" to={page} html={null} isFirst />
        <Gallery page={page} />
      </ul>
    </section>
    <Stored page={page} />
  </Page>
);
