import { call, input } from '../../selection/selection.ts';
import { blobSelection } from '../blobs/entities.ts';
import { documentAddresses, get, type Route } from '../route.ts';

const into = {
  converter: input('query.converter'),
  type: input('query.type'),
  format: input('query.format'),
  parameters: input('parameters'),
};

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
      { below: '/@convert', place: {}, what: 'Conversion' },
      { below: '/@blob/*xpath/@convert', place: { xpath: input('xpath') }, what: 'ConversionOfBlob' },
    ].map(({ below, place, what }) =>
      get(
        at + below,
        () => ({ document: call(document, { conversion: call({ ...place, ...into }, blobSelection) }) }),
        {
          name: `get${what}By${by}`,
          summary: 'A file of a document as one of another kind: by converter, type or format',
          resultPath: ['document', 'conversion'],
          answer: 'bytes',
        },
      ),
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
