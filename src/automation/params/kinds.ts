import { z } from 'zod';
import { resultLimits } from '../../model/search/result-limits.ts';
import { anyObject } from '../../model/values/any-object.ts';
import { parseJsonOrNothing } from '../../model/values/json-budget.ts';
import { splitSentList } from '../../model/values/list-text.ts';

import { readDate } from '../../model/values/read-value.ts';
import { tooMany } from '../few-items.ts';
import { type ParamKind, paramKind } from './param.ts';
import { parsePropertyLines } from './property-lines.ts';

/** A string. JSON clients can also send a number or a boolean. */
const scalar = z.union([z.string(), z.number(), z.boolean()], 'must be a string').transform(String);

const scalarUpTo = (max: number): z.ZodType<string> =>
  scalar.refine((value) => value.length <= max, `has more than ${max} characters`);

/**
 * A string of at most 100,000 characters. The length is limited because operations process such strings several times.
 */
export const text = paramKind('string', 'String', scalarUpTo(100_000));

/** A name, an id or a search term of at most 1,000 characters. */
export const shortText = paramKind('string', 'String', scalarUpTo(1_000));

/** Free text entered by a user, such as a comment. Its length is limited only by the size of the request body. */
export const longText = paramKind('string', 'String', scalar);

/** One of the given words, ignoring case. The resulting value is spelled as in the declaration. */
export const oneOf = <Word extends string>(...words: readonly Word[]): ParamKind<Word> =>
  paramKind(
    'string',
    'String',
    z.string().transform((value, context) => {
      const word = words.find((each) => each.toLowerCase() === value.toLowerCase());
      if (word !== undefined) return word;
      context.issues.push({ code: 'custom', message: `must be one of ${words.join(', ')}`, input: value });
      return z.NEVER;
    }),
  );

const truth = z.stringbool({ truthy: ['true'], falsy: ['false'] });

export const flag = paramKind('boolean', 'Boolean', z.union([z.boolean(), truth], 'must be true or false'));

const digits = z
  .string()
  .regex(/^[+-]?\d{1,10}$/)
  .transform(Number);

/** An integer in the 32-bit range of GraphQL's `Int`. */
const int = z
  .number()
  .refine((number) => Number.isInteger(number) && Math.abs(number) < 2 ** 31, 'must be an integer');

export const integer = paramKind('integer', 'Int', z.union([int, digits.pipe(int)], 'must be an integer'));

/** A number of results, or a word that stands for a number. */
export const resultLimit = paramKind(
  'integer',
  'Int',
  z.preprocess((value) => (typeof value === 'string' ? (resultLimits[value] ?? value) : value), integer.read),
);

function isDate(time: string): boolean {
  try {
    return readDate(time, 'date') !== '';
  } catch {
    return false;
  }
}

/** A W3C date-time, which is passed on unchanged. */
export const date = paramKind(
  'date',
  'String',
  z.string('must be a W3C date-time').refine(isDate, 'must be a W3C date-time'),
);

/** Converts each item to a string, as `scalar` does. Validation stops at the first invalid item. */
const listOfTexts = z.unknown().transform((value, context) => {
  const items = typeof value === 'string' ? splitSentList(value) : value;
  const texts: string[] = [];
  for (const item of Array.isArray(items) ? items : [undefined]) {
    if (typeof item === 'string') texts.push(item);
    else if (typeof item === 'number' || typeof item === 'boolean') texts.push(String(item));
    else {
      context.issues.push({ code: 'custom', message: 'must be a list of strings', input: item });
      return z.NEVER;
    }
  }
  return texts;
});

/** A list of strings, or one string with items separated by commas. */
export const texts: ParamKind<readonly string[]> = paramKind('stringlist', ['String'], listOfTexts);

/** At most 1,000 strings, such as names or sort keys. */
export const fewTexts: ParamKind<readonly string[]> = paramKind(
  'stringlist',
  ['String'],
  listOfTexts.refine((items) => tooMany('items', items) === undefined, {
    error: ({ input }) => String(tooMany('items', input as readonly unknown[])),
  }),
);

/**
 * Parses a string as a JSON object; returns undefined if the string is not JSON. Strings that do not begin with a brace
 * are not parsed, so that their commas and brackets do not count towards the limit on JSON values.
 */
const readJsonObject = (value: string): unknown =>
  /^\s*\{/.test(value) ? parseJsonOrNothing(value, 'the text') : undefined;

/** An object, a string of JSON, or lines of the form `name=value`. */
const properties: z.ZodType<Readonly<Record<string, unknown>>> = z.union(
  [
    anyObject(),
    z.string().transform(readJsonObject).pipe(anyObject()),
    z.string().transform((lines, context) => {
      const read = parsePropertyLines(lines);
      if (typeof read !== 'string') return read;
      context.issues.push({ code: 'custom', message: read, input: lines });
      return z.NEVER;
    }),
  ],
  {
    error: ({ input }) =>
      typeof input === 'string'
        ? String(parsePropertyLines(input))
        : 'must be an object or lines of name=value',
  },
);

export const propertyMap = paramKind('properties', 'JSON', properties);

export const callParams = paramKind('properties', 'JSON', properties, 'later');

const withoutPrefix = (name: string): string => name.replace(/^\s*doc:/, '').trim();

/** A document, given by its id or path, optionally with the prefix `doc:`, or by its entity. */
export const reference = paramKind(
  'document',
  'String',
  z.union(
    [
      z.string().transform(withoutPrefix),
      z.object({ 'entity-type': z.literal('document'), uid: z.string() }).transform(({ uid }) => uid),
    ],
    'must be the id, path or entity of a document',
  ),
);

export const splitReferences = (list: string): string[] => splitSentList(list).map(withoutPrefix);

const namedDocuments = z.array(reference.read);

/** Documents, given as a list, or as ids and paths separated by commas. */
export const references: ParamKind<readonly string[]> = paramKind(
  'documents',
  ['String'],
  z.unknown().transform((value, context) => {
    const items = typeof value === 'string' ? splitReferences(value) : value;
    const message = Array.isArray(items) ? tooMany('documents', items) : undefined;
    const read = message === undefined ? namedDocuments.safeParse(items) : undefined;
    if (read?.success) return read.data;
    context.issues.push({ code: 'custom', message: message ?? 'must be a list of documents', input: value });
    return z.NEVER;
  }),
);

const blobMessage = 'must be a file: an object with upload-batch and upload-fileId, content, or data';

/** A file in the form that properties accept (§2.1), as an object or as a string of JSON. */
export const blob: ParamKind<Readonly<Record<string, unknown>>> = paramKind(
  'blob',
  'JSON',
  z.preprocess(
    (value) => (typeof value === 'string' ? readJsonObject(value) : value),
    anyObject(blobMessage),
  ),
);

/**
 * A parameter that is not supported. It cannot be ignored, because it would change the response, so it must be absent
 * or empty.
 */
export const unserved: ParamKind<never> = paramKind('string', 'String', z.never('is not supported'));

export const anything = paramKind('object', 'JSON', z.unknown());

export const propertyValue = paramKind('serializable', 'JSON', z.unknown());

export const variableValue = paramKind('object', 'JSON', z.unknown(), 'unconverted');
