import type { Selection } from '../../selection.ts';

/** What must be known of a blob to send it. */
export const blob: Selection = {
  name: true,
  mimeType: true,
  encoding: true,
  digest: true,
  length: true,
  text: true,
};
