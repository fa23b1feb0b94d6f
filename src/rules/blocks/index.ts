export { LONGEST_LABEL, MOST_BLOCKS } from './limits';
export { DESIGN_VERSION, FONTS, OPERATORS } from './model';
export type {
  Align,
  Block,
  BlockKind,
  ButtonBlock,
  ColumnsBlock,
  ConditionBlock,
  Design,
  DesignStyle,
  DividerBlock,
  FieldSpan,
  FieldTest,
  FooterBlock,
  HeadingBlock,
  HtmlBlock,
  ImageBlock,
  Line,
  Link,
  Marks,
  RepeatBlock,
  SocialBlock,
  SpacerBlock,
  Span,
  TextBlock,
} from './model';
export { namesAround } from './names';
export { allOf, readDesign, within } from './read';
export type { DesignFault } from './read';
export { renderDesign } from './render';
export { LINE_COLOR, QUIET, familyOf, inkFor, styleOf } from './style';
export { escaped, isLink, isLiteral, isName, isPath, isSource } from './syntax';
export { blockWith, duplicated, freshId, inserted, moved, removed, renamed, replaced, spotOf, stepped } from './tree';
export type { Spot } from './tree';
export { WARNING_CODES, warningsOf } from './warnings';
export type { DesignWarning } from './warnings';
