import type { z } from 'zod';
import type { Template, TemplateVersion } from '../../src/sending/templates';
import type { Template as WireTemplate, TemplateVersion as WireVersion } from './schemas';

export const toTemplate = (template: Template): z.input<typeof WireTemplate> => ({
  templateId: template._id,
  projectId: template.projectId,
  name: template.name,
  type: template.type,
  subject: template.subject,
  body: template.body,
  fromName: template.fromName,
  fromEmail: template.fromEmail,
  ...(template.tracking && { tracking: template.tracking }),
  version: template.version,
  createdAt: template.createdAt.toISOString(),
  updatedAt: template.updatedAt.toISOString(),
});

export const toVersion = (row: TemplateVersion): z.input<typeof WireVersion> => ({
  templateId: row.templateId,
  version: row.version,
  subject: row.subject,
  body: row.body,
  fromName: row.fromName,
  fromEmail: row.fromEmail,
  createdAt: row.createdAt.toISOString(),
});
