import { z } from 'zod';
import { readDate } from '../model/read-value.ts';
import { readLines } from './property-lines.ts';

/** What a parameter can be: what the listing calls it, its type in GraphQL, and how it is read from what clients send. */
export interface ParamKind<Value> {
  readonly name: string;
  readonly graphql: 'String' | 'Boolean' | 'Int' | 'JSON' | readonly ['String'];
  /** Text or JSON in; what it makes is read as itself again. */
  readonly read: z.ZodType<Value>;
}

/** A word, whatever a client makes of it: a number is written as text. */
const words = z.union([z.string(), z.number(), z.boolean()], 'is no text').transform(String);

export const text: ParamKind<string> = { name: 'string', graphql: 'String', read: words };

const truth = z.stringbool({ truthy: ['true'], falsy: ['false'] });

/** One of some words, in upper or lower case; as it is spelled here. */
export const oneOf = <Word extends string>(...words: readonly Word[]): ParamKind<Word> => ({
  name: 'string',
  graphql: 'String',
  read: z.string().transform((given, context) => {
    const word = words.find((each) => each.toLowerCase() === given.toLowerCase());
    if (word !== undefined) return word;
    context.issues.push({ code: 'custom', message: `is none of ${words.join(', ')}`, input: given });
    return z.NEVER;
  }),
});

export const flag: ParamKind<boolean> = {
  name: 'boolean',
  graphql: 'Boolean',
  read: z.union([z.boolean(), truth], 'is neither true nor false'),
};

const digits = z
  .string()
  .regex(/^[+-]?\d{1,10}$/)
  .transform(Number);

const int = z
  .number()
  .refine((number) => Number.isInteger(number) && Math.abs(number) < 2 ** 31, 'is no whole number');

export const whole: ParamKind<number> = {
  name: 'integer',
  graphql: 'Int',
  read: z.union([int, digits.pipe(int)], 'is no whole number'),
};

function isDate(time: string): boolean {
  try {
    return readDate(time, 'date') !== '';
  } catch {
    return false;
  }
}

/** A W3C date-time, as it was sent. */
export const date: ParamKind<string> = {
  name: 'date',
  graphql: 'String',
  read: z.string('is no W3C date-time').refine(isDate, 'is no W3C date-time'),
};

const split = (list: string): string[] =>
  list
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

/** A list, or words with commas between them. */
export const texts: ParamKind<readonly string[]> = {
  name: 'stringlist',
  graphql: ['String'],
  read: z.union([z.array(words), z.string().transform(split)], 'is no list of texts'),
};

/** Values by name: an object, or lines of `name=value`. */
export const properties: ParamKind<Readonly<Record<string, unknown>>> = {
  name: 'properties',
  graphql: 'JSON',
  read: z.union(
    [
      z.record(z.string(), z.unknown()),
      z.string().transform((lines, context) => {
        const found = readLines(lines);
        if (typeof found !== 'string') return found;
        context.issues.push({ code: 'custom', message: found, input: lines });
        return z.NEVER;
      }),
    ],
    {
      error: ({ input }) =>
        typeof input === 'string' ? String(readLines(input)) : 'is neither an object nor lines of name=value',
    },
  ),
};

/** What clients write before what names a document. */
const prefix = /^\s*doc:/;

const withoutPrefix = (name: string): string => name.replace(prefix, '').trim();

/** A document by its id or its path, or the entity of one. */
export const reference: ParamKind<string> = {
  name: 'document',
  graphql: 'String',
  read: z.union(
    [
      z.string().transform(withoutPrefix),
      z.object({ 'entity-type': z.literal('document'), uid: z.string() }).transform(({ uid }) => uid),
    ],
    'names no document',
  ),
};

/** Any value, as JSON. */
export const anything: ParamKind<unknown> = { name: 'object', graphql: 'JSON', read: z.unknown() };

/** Documents: a list, or words with commas between them. */
export const references: ParamKind<readonly string[]> = {
  name: 'documents',
  graphql: ['String'],
  read: z.union(
    [z.array(reference.read), z.string().transform((list) => split(list).map(withoutPrefix))],
    'names no documents',
  ),
};
