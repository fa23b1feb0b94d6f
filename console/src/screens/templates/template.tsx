import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useNavigate, useParams } from 'react-router';
import { api } from '../../parts/api.ts';
import { useBrand } from '../../parts/blocks/brand.ts';
import { StartPage } from '../../parts/gallery/start-page.tsx';
import { useStart } from '../../parts/gallery/start.ts';
import { Page } from '../../parts/page.tsx';
import { Answer } from '../../parts/states.tsx';
import { SAVED } from '../../parts/unsaved.tsx';
import { useMay } from '../../session/session.ts';
import { Editor } from './editor.tsx';
import { TemplateActions } from './template-actions.tsx';
import { Versions } from './versions.tsx';

const UNDER = { label: 'Templates', to: '/templates' };

/** Creates a template. */
export function NewTemplate(): ReactNode {
  const navigate = useNavigate();
  const query = useStart();
  return (
    <Page title="New template" under={UNDER}>
      <Answer query={query} what="the start">
        {(start) => (
          <Editor
            template={null}
            start={start}
            saved={({ templateId }) => void navigate(`/templates/${templateId}`, { replace: true, ...SAVED })}
          />
        )}
      </Answer>
    </Page>
  );
}

/** Asks what a new template begins with. */
export const StartTemplate = (): ReactNode => <StartPage title="New template" under={UNDER} page="/templates/new" />;

/** Shows one template: its text with a preview, and its versions. */
export function TemplatePage(): ReactNode {
  const { id = '' } = useParams();
  const mayChange = useMay('change');
  const brand = useBrand();
  const query = useQuery({ queryKey: ['templates', 'one', id], queryFn: () => api.getTemplate(id) });
  return (
    <Answer query={query} what="the template">
      {(template) => (
        <Page title={template.name} under={UNDER} actions={mayChange && <TemplateActions template={template} />}>
          <Editor key={id} template={template} saved={() => void query.refetch()} />
          {/* The editor waits for the brand, and would push them down. */}
          {brand && <Versions template={template} changed={() => void query.refetch()} />}
        </Page>
      )}
    </Answer>
  );
}
