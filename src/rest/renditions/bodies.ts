import { z } from 'zod';
import { bodyReader, objectShape, optionalText } from '../request/body.ts';

/** Forms have texts alone. */
const flag = z.union([z.boolean(), z.enum(['true', 'false', ''])], 'is neither true nor false').nullish();

const given = (text: string | null | undefined): string | undefined => text || undefined;

/** What a file is to become; what is left are the parameters of the converter. */
export const conversionOptions = bodyReader(
  objectShape('ConversionOptions', {
    converter: optionalText,
    type: optionalText,
    format: optionalText,
    async: flag,
  }).catchall(z.unknown()),
  ({ converter, type, format, async: isLater, ...parameters }) => ({
    converter: given(converter),
    type: given(type),
    format: given(format),
    async: String(isLater) === 'true',
    parameters,
  }),
);
