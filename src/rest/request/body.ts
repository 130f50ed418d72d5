import { z } from 'zod';
import { Invalid, namedFault } from '../../errors.ts';
import { anyObject } from '../../model/values/any-object.ts';
import { requireStorable } from '../../model/values/storable.ts';
import type { SentBlob } from './sent-blob.ts';

interface BodyContext {
  readonly blobs: readonly SentBlob[];
  /** Whether unknown names are rejected (`Prefer: handling=strict`). */
  readonly isStrict: boolean;
}

/** Validates the JSON of a request body and converts it to a GraphQL input. */
export interface BodyReader {
  (json: unknown, context?: BodyContext): unknown;
  /**
   * Describes the body. Fields that are not listed are ignored. The title of the shape is the name of the schema in
   * openapi.json.
   */
  readonly shape?: z.ZodType;
  /** Returns the text of a `Warning` header for a body that is valid but has no effect. */
  readonly warning?: (json: unknown) => string | undefined;
}

const missing = 'is missing';

/**
 * Creates a reader for bodies with the given shape.
 * @throws Invalid, which lists all errors in the body
 */
export function bodyReader<Shape extends z.ZodType>(
  shape: Shape,
  toInput: (body: z.output<Shape>, context: BodyContext) => unknown,
): BodyReader & { readonly shape: Shape } {
  const read: BodyReader = (json, context = { blobs: [], isStrict: false }) => {
    requireStorable(json);
    const parsed = shape.safeParse(json);
    if (!parsed.success) {
      const faults = parsed.error.issues.map(({ path, message }) =>
        message === missing
          ? `"${path.join('.')}" ${missing}`
          : path.length > 0
            ? namedFault(path.join('.'), message)
            : message,
      );
      throw new Invalid(`${faults.join('; ')}.`);
    }
    return toInput(parsed.data, context);
  };
  return Object.assign(read, { shape });
}

/** @param title the name of the schema in openapi.json */
export const objectShape = <Shape extends z.ZodRawShape>(title: string, shape: Shape) =>
  z.object(shape, 'The body must be a JSON object').meta({ title });

export const entityTypeShape = (type: string) =>
  z.literal(type, {
    error: ({ input }) =>
      `must be "${type}"; ${input === undefined ? 'it is missing' : `got ${JSON.stringify(input)?.slice(0, 80)}`}`,
  });

export const propertiesShape = anyObject('must be an object').nullish();
export const requiredText = z.string({
  error: ({ input }) => (input === undefined || input === null ? missing : 'must be a string'),
});
/** A string that contains more than white space. */
export const presentText = requiredText.refine((text) => text.trim() !== '', missing);
export const optionalText = z.string('must be a string').nullish();
