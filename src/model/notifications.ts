/** What somebody can want to be told of a document (§4.9). */
export const notifications: readonly string[] = [
  'Creation',
  'Modification',
  'Publication',
  'Workflow Change',
  'Approbation review started',
  'Email document',
  'Subscriptions updated',
  'CommentAdded',
  'CommentUpdated',
  'Task assigned',
];
