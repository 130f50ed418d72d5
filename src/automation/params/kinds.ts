import { z } from 'zod';
import { resultLimits } from '../../model/search/result-limits.ts';
import { anyObject } from '../../model/values/any-object.ts';
import { parseJsonOrNothing } from '../../model/values/json-budget.ts';
import { splitSentList } from '../../model/values/list-text.ts';

import { readDate } from '../../model/values/read-value.ts';
import { tooMany } from '../few-items.ts';
import { type ParamKind, paramKind } from './param.ts';
import { parsePropertyLines } from './property-lines.ts';

/** A text. JSON clients may send a number or a boolean in its place. */
const scalar = z.union([z.string(), z.number(), z.boolean()], 'must be a text').transform(String);

const scalarUpTo = (max: number): z.ZodType<string> =>
  scalar.refine((value) => value.length <= max, `has more than ${max} characters`);

/**
 * A text of at most 100,000 characters. The limit exists because operations go through such texts several
 * times.
 */
export const text = paramKind('string', 'String', scalarUpTo(100_000));

/** A name, an id or a search term of at most 1,000 characters. */
export const shortText = paramKind('string', 'String', scalarUpTo(1_000));

/** A text written by people, such as a comment. Only the body limits its length. */
export const longText = paramKind('string', 'String', scalar);

/** One of these words, regardless of case. The value is the word as spelled here. */
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

/** An integer within the 32 bits of GraphQL's `Int`. */
const int = z
  .number()
  .refine((number) => Number.isInteger(number) && Math.abs(number) < 2 ** 31, 'must be an integer');

export const integer = paramKind('integer', 'Int', z.union([int, digits.pipe(int)], 'must be an integer'));

/** A number of results, or a word that stands for one. */
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

/** A W3C date-time, passed on unchanged. */
export const date = paramKind(
  'date',
  'String',
  z.string('must be a W3C date-time').refine(isDate, 'must be a W3C date-time'),
);

/** Converts items to texts like `scalar`. Validation stops at the first faulty item. */
const listOfTexts = z.unknown().transform((value, context) => {
  const items = typeof value === 'string' ? splitSentList(value) : value;
  const texts: string[] = [];
  for (const item of Array.isArray(items) ? items : [undefined]) {
    if (typeof item === 'string') texts.push(item);
    else if (typeof item === 'number' || typeof item === 'boolean') texts.push(String(item));
    else {
      context.issues.push({ code: 'custom', message: 'must be a list of texts', input: item });
      return z.NEVER;
    }
  }
  return texts;
});

/** A list of texts, or one text with items separated by commas. */
export const texts: ParamKind<readonly string[]> = paramKind('stringlist', ['String'], listOfTexts);

/** At most 1,000 texts, such as names or sort keys. */
export const fewTexts: ParamKind<readonly string[]> = paramKind(
  'stringlist',
  ['String'],
  listOfTexts.refine((items) => tooMany('items', items) === undefined, {
    error: ({ input }) => String(tooMany('items', input as readonly unknown[])),
  }),
);

/**
 * Parses a text that may be a JSON object. For other texts it does not count commas and brackets against the
 * limit of JSON values.
 */
const readJsonObject = (value: string): unknown =>
  /^\s*\{/.test(value) ? parseJsonOrNothing(value, 'the text') : undefined;

/** An object, its JSON, or lines of `name=value`. */
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

/** A document: its id or path, optionally after the prefix `doc:`, or its entity. */
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

/** Documents: a list, or ids and paths separated by commas. */
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

/** A file in the form that properties take (§2.1), as an object or its JSON. */
export const blob: ParamKind<Readonly<Record<string, unknown>>> = paramKind(
  'blob',
  'JSON',
  z.preprocess(
    (value) => (typeof value === 'string' ? readJsonObject(value) : value),
    anyObject(blobMessage),
  ),
);

/**
 * A parameter that is not implemented and cannot be ignored, because it would change the response. It must be
 * absent or empty.
 */
export const unserved: ParamKind<never> = paramKind('string', 'String', z.never('is not supported'));

export const anything = paramKind('object', 'JSON', z.unknown());

export const propertyValue = paramKind('serializable', 'JSON', z.unknown());

export const variableValue = paramKind('object', 'JSON', z.unknown(), 'unconverted');
