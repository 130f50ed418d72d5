import type { Tools } from '../../converters/programs/programs.ts';
import type { blobEnricherNames } from '../../model/values/blob-json.ts';
import type { BlobShape } from '../../model/values/document-blob.ts';
import type { Links } from '../../scope.ts';
import { hasPreview } from '../renditions/preview.ts';
import { changeToken, type DocumentRow } from './document-row.ts';

interface PlacedBlob {
  readonly blob: BlobShape;
  readonly xpath: string;
  readonly document: DocumentRow;
  readonly tools: Tools;
}

/** The values of properties alone have them (§4.9). */
export const blobEnrichers: Readonly<
  Record<
    (typeof blobEnricherNames)[number],
    (placed: PlacedBlob, links: Pick<Links, 'blobPreview'>) => unknown
  >
> = {
  // No application is connected to this server.
  appLinks: () => [],
  preview: ({ blob, xpath, document, tools }, links) => ({
    url: hasPreview(blob, tools) ? links.blobPreview(document, xpath, changeToken(document)) : null,
  }),
};
