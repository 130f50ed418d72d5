import { z } from 'zod';
import { bodyReader, givenText, objectShape, optionalText } from '../request/body.ts';

export const newVersion = bodyReader(
  objectShape('NewVersion', {
    increment: z.enum(['MINOR', 'MAJOR'], 'is neither MINOR nor MAJOR').default('MINOR'),
    comment: optionalText,
  }),
  (version) => version,
);

export const publication = bodyReader(
  objectShape('Publication', {
    target: givenText,
    override: z.boolean('is neither true nor false').nullish(),
  }),
  ({ target, override }) => ({ target, override: override ?? true }),
);
