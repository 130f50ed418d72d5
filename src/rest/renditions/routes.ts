import { z } from 'zod';
import { call, input } from '../../selection/selection.ts';
import { blobSelection } from '../blobs/entities.ts';
import { bodyReader, objectShape, optionalText } from '../request/body.ts';
import { documentAddresses, get, post, type Route } from '../route.ts';

/** A boolean. Forms can only contain strings, so the strings `true` and `false` are also accepted. */
const flag = z.union([z.boolean(), z.enum(['true', 'false', ''])], 'must be true or false').nullish();

const nonEmpty = (text: string | null | undefined): string | undefined => text || undefined;

/** The options of a conversion. All other fields are parameters of the converter. */
const conversionOptions = bodyReader(
  objectShape('ConversionOptions', {
    converter: optionalText,
    type: optionalText,
    format: optionalText,
    async: flag,
  }).catchall(z.unknown()),
  ({ converter, type, format, async: isLater, ...parameters }) => ({
    converter: nonEmpty(converter),
    type: nonEmpty(type),
    format: nonEmpty(format),
    async: String(isLater) === 'true',
    parameters,
  }),
);

const into = {
  converter: input('query.converter'),
  type: input('query.type'),
  format: input('query.format'),
  parameters: input('parameters'),
};

const wanted = {
  converter: input('body.converter'),
  type: input('body.type'),
  format: input('body.format'),
  parameters: input('body.parameters'),
  async: input('body.async'),
};

const conversions = [
  { below: '/@convert', place: {}, what: 'Conversion' },
  { below: '/@blob/*xpath/@convert', place: { xpath: input('xpath') }, what: 'ConversionOfBlob' },
];

const isScheduled = (entity: unknown): boolean =>
  (entity as { pollingURL?: unknown }).pollingURL !== undefined;

const byId = { id: input('address.id') };

/** The routes for conversions that run after the response. Each has two path prefixes, because clients use both. */
const scheduledRoutes: readonly Route[] = ['conversions', 'conversion'].flatMap((root): Route[] => [
  get(`/${root}/:id/poll`, ({ conversionStatus }) => ({ conversionStatus: call(byId, conversionStatus) }), {
    name: `poll${root === 'conversions' ? 'Conversion' : 'ConversionByOtherName'}`,
    summary: 'The state of an asynchronous conversion',
  }),
  get(`/${root}/:id/result`, () => ({ conversionResult: call(byId, blobSelection) }), {
    name: `get${root === 'conversions' ? 'ConversionResult' : 'ConversionResultByOtherName'}`,
    summary: 'The file of a completed conversion',
    answer: 'bytes',
  }),
]);

/** The routes that convert documents to other file types and to HTML pages (docs/renditions.md). */
const documentRoutes: readonly Route[] = documentAddresses.flatMap(({ at, by, document }): Route[] => [
  get(
    `${at}/@rendition/:rendition`,
    () => ({
      document: call(document, {
        rendition: call({ name: input('address.rendition') }, blobSelection),
      }),
    }),
    {
      name: `getRenditionBy${by}`,
      summary: 'A rendition of a document, such as a thumbnail',
      resultPath: ['document', 'rendition'],
      answer: 'bytes',
      forGuests: true,
      needsPrograms: true,
    },
  ),
  ...conversions.map(({ below, place, what }) =>
    post(
      at + below,
      conversionOptions,
      ({ conversionScheduled }) => ({
        convertFile: call(
          { ...document, ...place, ...wanted },
          { blob: blobSelection, scheduled: conversionScheduled },
        ),
      }),
      {
        name: `make${what}By${by}`,
        summary: 'Convert a file of a document, immediately or, with async=true, as a job',
        status: 200,
        kind: 'outsideTransaction', // No transaction stays open while a file is being converted.
        bodyForm: 'fields',
        answer: 'conversion',
        needsPrograms: true,
        alternative: {
          status: 202,
          description: 'With `async=true`: the URLs at which to poll for the conversion.',
          when: isScheduled,
          location: 'pollingURL',
        },
      },
    ),
  ),
  ...conversions.map(({ below, place, what }) =>
    get(
      at + below,
      () => ({ document: call(document, { conversion: call({ ...place, ...into }, blobSelection) }) }),
      {
        name: `get${what}By${by}`,
        summary: 'Convert a file of a document by converter, type or format',
        resultPath: ['document', 'conversion'],
        answer: 'bytes',
        needsPrograms: true,
      },
    ),
  ),
  ...[
    { below: '/@preview', place: {}, what: 'Preview' },
    { below: '/@blob/*xpath/@preview', place: { xpath: input('xpath') }, what: 'PreviewOfBlob' },
  ].map(({ below, place, what }) =>
    get(at + below, () => ({ document: call(document, { previewPage: call(place) }) }), {
      name: `get${what}By${by}`,
      summary: 'An HTML preview of a file of a document, without scripts',
      resultPath: ['document', 'previewPage'],
      answer: 'page',
      forGuests: true,
      needsPrograms: true,
    }),
  ),
]);

export const renditionRoutes: readonly Route[] = [...documentRoutes, ...scheduledRoutes];
