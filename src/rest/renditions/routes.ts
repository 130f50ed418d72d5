import { call, input } from '../../selection/selection.ts';
import { blobSelection } from '../blobs/entities.ts';
import { documentAddresses, get, type Route } from '../route.ts';

/** Documents as files of other kinds, and as pages (docs/interface.md). */
export const renditionRoutes: readonly Route[] = documentAddresses.flatMap(
  ({ at, by, document }): Route[] => [
    get(
      `${at}/@rendition/:rendition`,
      () => ({
        document: call(document, {
          rendition: call({ name: input('address.rendition') }, blobSelection),
        }),
      }),
      {
        name: `getRenditionBy${by}`,
        summary: 'A document as a file of another kind, such as a thumbnail',
        resultPath: ['document', 'rendition'],
        answer: 'bytes',
      },
    ),
    ...[
      { below: '/@preview', place: {}, what: 'Preview' },
      { below: '/@blob/*xpath/@preview', place: { xpath: input('xpath') }, what: 'PreviewOfBlob' },
    ].map(({ below, place, what }) =>
      get(at + below, () => ({ document: call(document, { previewPage: call(place) }) }), {
        name: `get${what}By${by}`,
        summary: 'A page that shows a file of a document, and runs nothing',
        resultPath: ['document', 'previewPage'],
        answer: 'page',
      }),
    ),
  ],
);
