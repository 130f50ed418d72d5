import type { WorkflowDefinition } from './definition.ts';
import { parallelDocumentReview } from './parallel-document-review.ts';
import { serialDocumentReview } from './serial-document-review.ts';

/** The stock workflow models. */
export const workflows: readonly WorkflowDefinition[] = [serialDocumentReview, parallelDocumentReview];
