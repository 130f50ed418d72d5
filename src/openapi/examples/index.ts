import { administrationExamples } from './administration.ts';
import { authorityExamples, lastExamples } from './authorities.ts';
import { commentExamples } from './comments.ts';
import { documentExamples } from './documents.ts';
import type { Examples } from './example.ts';
import { addressedOperationExamples, operationExamples } from './operations.ts';
import { renditionExamples } from './renditions.ts';
import { searchExamples } from './search.ts';
import { uploadExamples } from './uploads.ts';
import { workflowExamples } from './workflows.ts';

/** All examples by route name, in an order in which they all succeed on a newly installed server. */
export const examples: Examples = {
  ...documentExamples,
  ...commentExamples,
  ...renditionExamples,
  ...workflowExamples,
  ...searchExamples,
  ...authorityExamples,
  ...administrationExamples,
  ...uploadExamples,
  ...addressedOperationExamples,
  ...operationExamples,
  ...lastExamples,
};
