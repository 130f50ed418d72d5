import type { Selection } from '../../selection/selection.ts';

export const blobSelection: Selection = {
  name: true,
  mimeType: true,
  encoding: true,
  digest: true,
  length: true,
  text: true,
  modified: true,
  document: { repository: true, uid: true, path: true, type: true, state: true, facets: true },
};
