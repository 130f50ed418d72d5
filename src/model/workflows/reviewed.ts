import type { Deed } from './definition.ts';

/** What is done with a document that a review approves. */
export const reviewed: readonly Deed[] = [
  { do: 'follow', transition: 'approve' },
  { do: 'checkIn', increment: 'MINOR' },
];
