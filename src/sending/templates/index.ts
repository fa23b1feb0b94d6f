export { checkBlocks, renderBlocks } from './blocks';
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
} from './service';
export { checkAllSyntax, checkSyntax, syntaxFaults, variantFaults } from './syntax';
export { changedVariants } from './variants';
