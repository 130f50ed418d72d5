import { z } from 'zod';
import { Invalid } from '../errors.ts';
import { requireStorable } from '../model/storable.ts';

/** How the body of a route is read: JSON in, the GraphQL input out. */
export type ReadBody = (json: unknown) => unknown;

/** @throws Invalid naming every fault of the body. */
function reader<Shape extends z.ZodType>(
  shape: Shape,
  toInput: (body: z.output<Shape>) => unknown,
): ReadBody {
  return (json) => {
    requireStorable(json);
    const parsed = shape.safeParse(json);
    if (!parsed.success) {
      throw new Invalid(
        parsed.error.issues
          .map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '))
          .join('; '),
      );
    }
    return toInput(parsed.data);
  };
}

const entity = (type: string) =>
  z.literal(type, {
    error: ({ input }) =>
      input === undefined
        ? `the body does not contain an entity-type: expected "${type}"`
        : `expected "${type}" but was ${JSON.stringify(input)?.slice(0, 80)}`,
  });

const required = z
  .string({
    error: ({ input }) =>
      input === undefined || input === null ? 'type or name property is missing' : 'is no string',
  })
  .refine((text) => text.trim() !== '', 'type or name property is missing');

const properties = z.record(z.string(), z.unknown(), 'is no object').nullish();
const maybe = z.string('is no string').nullish();

/** §2.1: what a document may be created from; all other fields of the entity are ignored. */
export const newDocument = reader(
  z.object(
    { 'entity-type': entity('document'), name: required, type: required, properties },
    'is no JSON object',
  ),
  ({ name, type, properties: given }) => ({ name, type, properties: given ?? {} }),
);

/** §2.1: what a document may be changed by; all other fields of the entity are ignored. */
export const changedDocument = reader(
  z.object(
    { 'entity-type': entity('document'), uid: maybe, changeToken: maybe, properties },
    'is no JSON object',
  ),
  ({ uid, changeToken, properties: given }) => ({ uid, changeToken, properties: given ?? {} }),
);
