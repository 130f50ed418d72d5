import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { Invalid } from '../errors.ts';
import { requireStorable } from '../model/storable.ts';
import type { SentBlob } from './sent-blob.ts';

/** JSON is UTF-8: other bytes would be stored as what nobody sent. @throws Invalid */
export function requireUtf8(_request: unknown, _response: unknown, body: Buffer, encoding: string): void {
  if (/^utf-?8$/i.test(encoding) && !isUtf8(body)) throw new Invalid('the body is not UTF-8');
}

/** How the body of a route is read: JSON in, and the blobs that came with it, the GraphQL input out. */
export interface ReadBody {
  (json: unknown, blobs?: readonly SentBlob[]): unknown;
  /** What the JSON must be, with its name as the title; what is not in it is ignored. */
  readonly shape?: z.ZodType;
}

/** Reads bodies of one shape. @throws Invalid naming every fault of the body. */
export function reader<Shape extends z.ZodType>(
  shape: Shape,
  toInput: (body: z.output<Shape>, blobs: readonly SentBlob[]) => unknown,
): ReadBody & { readonly shape: Shape } {
  const read: ReadBody = (json, blobs = []) => {
    requireStorable(json);
    const parsed = shape.safeParse(json);
    if (!parsed.success) {
      throw new Invalid(
        parsed.error.issues
          .map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '))
          .join('; '),
      );
    }
    return toInput(parsed.data, blobs);
  };
  return Object.assign(read, { shape });
}

/** The `entity-type` that a body must have. */
export const entity = (type: string) =>
  z.literal(type, {
    error: ({ input }) =>
      input === undefined
        ? `the body does not contain an entity-type: expected "${type}"`
        : `expected "${type}" but was ${JSON.stringify(input)?.slice(0, 80)}`,
  });

/** An entity's properties, whatever they are. */
export const properties = z.record(z.string(), z.unknown(), 'is no object').nullish();
/** A text that may be left out. */
export const maybe = z.string('is no string').nullish();
