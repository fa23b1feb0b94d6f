import { useQuery } from '@tanstack/react-query';
import { api } from './api.ts';
import type { Schemas } from './api.ts';
import { isOffered } from './archive.tsx';

const MOST = 200;
const NONE: readonly (readonly [templateId: string, name: string])[] = [];

const namesOf = (templates: readonly Schemas['Template'][]): typeof NONE => templates.map(({ templateId, name }) => [templateId, name]);

const useNewest = <T>(select: (templates: readonly Schemas['Template'][]) => T): T | undefined =>
  useQuery({ queryKey: ['templates', 'names'], queryFn: () => api.listTemplates({ limit: 100 }).toArray(MOST), select }).data;

/** Returns the newest templates of the project, as values with their names; none until they are loaded. */
export const useTemplates = (): typeof NONE => useNewest(namesOf) ?? NONE;

/** Returns the templates that a choice offers: those not archived, and the chosen one. */
export const useTemplateChoice = (chosen: string): typeof NONE =>
  useNewest((templates) => namesOf(templates.filter((template) => isOffered(template, template.templateId === chosen)))) ?? NONE;
