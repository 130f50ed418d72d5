import { type Deprecation, deprecationText } from '../deprecations.ts';
import type { Json } from './json-schema.ts';

/** Returns the description of a call or a parameter, and `deprecated: true` if it is deprecated. */
export const deprecated = (
  description: string | null | undefined,
  deprecation: Deprecation | undefined,
): Json & { readonly description?: string } => {
  const texts = [description, deprecation && deprecationText(deprecation)].filter(Boolean);
  return {
    ...(texts.length > 0 && { description: texts.join(' ') }),
    ...(deprecation && { deprecated: true }),
  };
};
