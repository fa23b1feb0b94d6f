export { checkBlocks, renderBlocks, checkAllSyntax, checkSyntax, syntaxFaults, variantFaults } from './checks';
export { templatesReading, templateUsers, templatesShowing, templateOfTopic } from './in-use';
export type { Template, TemplateType, TemplateVersion } from './model';
export {
  createTemplate,
  deleteTemplate,
  duplicateTemplate,
  findTemplates,
  getTemplate,
  listTemplates,
  listVersions,
  patchTemplate,
  rollBackTemplate,
  setTemplateArchived,
  templateSenders,
  changedVariants,
} from './service';
