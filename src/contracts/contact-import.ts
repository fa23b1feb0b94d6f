import { defineQuery } from '@temporalio/workflow';

export interface ContactImportInput {
  readonly importId: string;
  readonly projectId: string;
}

export interface ContactImportProgress {
  readonly status: 'queued' | 'processing' | 'completed' | 'failed';
  readonly totalRows: number | null;
  readonly processed: number;
  readonly created: number;
  readonly updated: number;
  readonly skipped: number;
  readonly failed: number;
}

export const contactImportId = (importId: string): string => `contact-import/${importId}`;

export const contactImportProgressQuery = defineQuery<ContactImportProgress>('progress');
