import { extensions } from '../extensions/loaded.ts';
import type { Converter } from './converter.ts';
import { readWhole } from './whole-file.ts';

const resultTypes = { text: 'text/plain', pdf: 'application/pdf', html: 'text/html' } as const;

/** Returns the converters of the loaded extensions. */
export const contributedConverters = (): Converter[] =>
  extensions().flatMap(({ name: extension, converters = [] }) =>
    converters.map(({ name, from, to, convert }) => ({
      name: `extension-${extension}-${name}`,
      makes: to,
      takes: from,
      ...(to === 'pdf' && { isIntermediate: true as const }),
      convert: async ({ file, mimeType }) => ({
        mimeType: resultTypes[to],
        bytes: Buffer.from((await convert(await readWhole(file), mimeType)) as string),
      }),
    })),
  );

/** Returns the entries of EXTENSIONS that have converters. The converter process loads these extensions. */
export const placesWithConverters = (): string[] =>
  extensions().flatMap(({ converters, place }) => (converters?.length ? [place] : []));
