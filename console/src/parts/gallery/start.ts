import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { api } from '../api.ts';

/** The content that a new mail begins with. */
export interface Start {
  readonly type: 'transactional' | 'marketing';
  readonly subject: string;
  readonly previewText: string;
  readonly body: string;
  /** The design that the body is made of; null if it is HTML of an author. */
  readonly design: unknown;
}

const FROM = 'from';
const GALLERY_MARK = 'gallery/';

/** Addresses of the page of a new mail, by what it begins with. */
export const startAt = {
  gallery: (page: string, id: string): string => `${page}?${FROM}=${GALLERY_MARK}${id}`,
  template: (page: string, templateId: string): string => `${page}?${FROM}=${templateId}`,
};

async function load(from: string): Promise<Start | null> {
  if (from.startsWith(GALLERY_MARK)) {
    const { GALLERY } = await import('./gallery.ts');
    return GALLERY.find(({ id }) => id === from.slice(GALLERY_MARK.length)) ?? null;
  }
  const { type, subject, body, bodyBlocks = null } = await api.getTemplate(from);
  return { type, subject, previewText: '', body, design: bodyBlocks };
}

/** Reads from the page's address what a new mail begins with; the data is null if it begins blank. */
export function useStart() {
  const [search] = useSearchParams();
  const from = search.get(FROM) ?? '';
  return useQuery({ queryKey: ['start', from], queryFn: () => (from === '' ? null : load(from)), staleTime: Number.POSITIVE_INFINITY });
}
