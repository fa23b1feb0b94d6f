export { LONGEST_LABEL, allOf, readDesign } from './read';
export { DESIGN_VERSION, OPERATORS } from './model';
export type {
  Align,
  Block,
  BlockKind,
  ColumnsBlock,
  ConditionBlock,
  Design,
  DesignStyle,
  FieldTest,
  ImageBlock,
  Line,
  Marks,
  SocialBlock,
  Span,
} from './model';
export {
  namesAround,
  blockWith,
  blocksAround,
  duplicated,
  freshId,
  inserted,
  moved,
  removed,
  renamed,
  replaced,
  spotOf,
  stepped,
} from './tree';
export { readersOf } from './readers';
export { renderDesign } from './render';
export { LINE_COLOR, QUIET, familyOf, inkFor, styleOf } from './style';
export { escaped, isLink, isLiteral, isName, isPath, isSource, isTranslationKey } from './syntax';
export type { Spot } from './tree';
export { WARNING_CODES, lackedIn, warningsOf } from './warnings';
export type { DesignWarning } from './warnings';
