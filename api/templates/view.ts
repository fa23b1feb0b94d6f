import type { z } from 'zod';
import { RawJson } from '../../src/platform/core';
import type { Template, TemplateVersion } from '../../src/sending/templates';
import type { Template as WireTemplate, TemplateVersion as WireVersion } from './schemas';

const designOf = (bodyBlocks: string | null | undefined) => bodyBlocks && { bodyBlocks: new RawJson(bodyBlocks) };

export const toTemplate = ({
  _id,
  tracking,
  topicId,
  bodyBlocks,
  variants,
  createdAt,
  updatedAt,
  ...template
}: Template): z.input<typeof WireTemplate> => ({
  templateId: _id,
  ...template,
  ...(tracking && { tracking }),
  ...(topicId && { topicId }),
  ...designOf(bodyBlocks),
  ...(variants && { variants }),
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});

export const toVersion = ({ createdAt, bodyBlocks, variants, ...version }: TemplateVersion): z.input<typeof WireVersion> => ({
  ...version,
  ...(variants && { variants }),
  ...designOf(bodyBlocks),
  createdAt: createdAt.toISOString(),
});
