import { findShowing } from '../files';
import type { FileSearch, FileUse } from '../files';
import { TemplateModel } from './model';

/** Lists templates whose current version shows a picture, newest first. */
export const templatesShowing = (search: FileSearch): Promise<FileUse[]> => findShowing(TemplateModel.collection, 'template', search);
