import { z } from 'zod';
import { Invalid } from '../errors.ts';

/** Deepest nesting of a body: far beyond any document, far below what a stack can take. */
const deepest = 100;

const loneSurrogate = /\p{Surrogate}/u;

/** @throws Invalid for text that no PostgreSQL text or JSON can hold. */
function requireText(text: string): void {
  if (text.includes('\0')) throw new Invalid('the body contains a NUL character');
  if (loneSurrogate.test(text)) throw new Invalid('the body contains half of a surrogate pair');
}

/** @throws Invalid when anything in the body cannot be kept, whatever the place. */
function requireStorable(body: unknown): void {
  const rest: Array<{ value: unknown; depth: number }> = [{ value: body, depth: 0 }];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string') requireText(value);
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= deepest) throw new Invalid(`the body is nested more than ${deepest} levels deep`);
    for (const [key, inner] of Object.entries(value)) {
      requireText(key);
      if (key === '__proto__') throw new Invalid('the body has a field called __proto__');
      rest.push({ value: inner, depth: depth + 1 });
    }
  }
}

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
