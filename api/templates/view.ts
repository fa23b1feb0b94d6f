import type { z } from 'zod';
import type { Template, TemplateVersion } from '../../src/sending/templates';
import type { Template as WireTemplate, TemplateVersion as WireVersion } from './schemas';

export const toTemplate = ({
  _id,
  tracking,
  topicId,
  variants,
  createdAt,
  updatedAt,
  ...template
}: Template): z.input<typeof WireTemplate> => ({
  templateId: _id,
  ...template,
  ...(tracking && { tracking }),
  ...(topicId && { topicId }),
  ...(variants && { variants }),
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});

export const toVersion = ({ createdAt, variants, ...version }: TemplateVersion): z.input<typeof WireVersion> => ({
  ...version,
  ...(variants && { variants }),
  createdAt: createdAt.toISOString(),
});
