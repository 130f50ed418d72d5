import type { Selection } from '../../selection.ts';

/** What must be known of a blob to send it. */
export const blob: Selection = {
  name: true,
  mimeType: true,
  encoding: true,
  digest: true,
  length: true,
  text: true,
  document: { repository: true, uid: true, path: true, type: true, state: true, facets: true },
};
