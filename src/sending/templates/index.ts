export { checkBlocks, renderBlocks } from './blocks';
export { templatesReading, templateUsers } from './in-use';
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
export { templatesShowing } from './pictures';
export { checkAllSyntax, checkSyntax, syntaxFaults, variantFaults } from './syntax';
export { templateOfTopic } from './topic';
export { changedVariants } from './variants';
