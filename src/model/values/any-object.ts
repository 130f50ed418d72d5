import { z } from 'zod';

/**
 * Accepts an object with arbitrary fields. `z.record` is not used, because it parses and copies every field, which
 * takes a quarter of the total time for a body with 100,000 fields.
 */
export const anyObject = (message?: string) =>
  z
    .custom<Record<string, unknown>>(
      (json) => typeof json === 'object' && json !== null && !Array.isArray(json),
      message,
    )
    .meta({ type: 'object', additionalProperties: {} });
