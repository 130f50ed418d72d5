/** Events of documents to which users can subscribe (§4.9). */
export const notificationNames: readonly string[] = [
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
