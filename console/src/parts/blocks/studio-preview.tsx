import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../api.ts';
import { Faults } from '../form.tsx';
import { MailViews } from '../mail-views.tsx';
import { ContactField } from '../preview.tsx';
import { useSettled } from '../settled.ts';

interface PreviewProps {
  readonly html: string;
  readonly type: 'transactional' | 'marketing';
  /** The language that the mail is written in; null for the default. */
  readonly language: string | null;
}

/** Shows the mail as a reader sees it. */
export function StudioPreview({ html, type, language }: PreviewProps): ReactNode {
  const [contact, setContact] = useState('');
  const asked = useSettled(JSON.stringify({ html, contact: contact.trim() }));
  const query = useQuery({
    queryKey: ['preview', 'design', asked, type, language],
    queryFn: () => {
      const { html: body, contact: reader } = JSON.parse(asked) as { readonly html: string; readonly contact: string };
      const request = { subject: '', body, type, ...(language !== null && { language }) };
      return api.previewTemplate({ ...request, ...(reader !== '' && { contact: reader }) });
    },
    placeholderData: keepPreviousData,
    retry: false,
  });
  return (
    <div className="studio-preview">
      <Faults error={query.error} />
      <MailViews title="Preview of the mail" shown={query.data}>
        <ContactField value={contact} change={setContact} />
      </MailViews>
    </div>
  );
}
