import type { WorkflowDefinition } from './definition.ts';
import { parallelDocumentReview } from './parallel-document-review.ts';
import { serialDocumentReview } from './serial-document-review.ts';

import { singleTask } from './single-task.ts';

export const stockWorkflows: readonly WorkflowDefinition[] = [
  serialDocumentReview,
  parallelDocumentReview,
  singleTask,
];
