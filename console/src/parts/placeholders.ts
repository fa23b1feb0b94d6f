import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from './api.ts';
import type { Schemas } from './api.ts';
import { useSettled } from './settled.ts';

type Content = Pick<Schemas['PreviewTemplateRequest'], 'subject' | 'body' | 'type'>;

/** Returns the placeholders of a content, a moment after it was last edited; none until they are known, and of one with errors. */
export function usePlaceholders({ subject, body, type = 'transactional' }: Content): readonly string[] {
  const content = useSettled(JSON.stringify({ subject, body, type } satisfies Content));
  const { data } = useQuery({
    queryKey: ['placeholders', content],
    queryFn: async () => (await api.previewTemplate(JSON.parse(content) as Content)).placeholders,
    placeholderData: keepPreviousData,
    retry: false,
  });
  return (data ?? []).map(({ name }) => name);
}
