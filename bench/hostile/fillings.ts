import type { DocumentType, Property } from '../../src/model/model.ts';
import { maxJsonFields } from '../../src/model/values/json-budget.ts';

/** The size limits of a test value. */
export interface Size {
  readonly bytes: number;
  /** The maximum number of JSON values. */
  readonly values: number;
}

/**
 * The kind of value that an argument gets. A map keeps the entries of the example and gets additional ones.
 */
export type Kind = 'text' | 'list' | 'map' | 'number';

/** A way to create a test value for an argument, which fills the request body up to its size limit. */
export interface Filling {
  readonly name: string;
  readonly kind: Kind;
  /**
   * Whether every argument of this kind gets this test value. The other test values alternate between arguments.
   */
  readonly isForAll?: true;
  /** Whether the test value depends on the value in the example. */
  readonly usesExample?: true;
  /**
   * @param example the value in the example
   * @returns JSON in one or more pieces: a whole value, or the entries of a map without its braces; undefined if
   * the example contains nothing that can be repeated
   */
  readonly make: (size: Size, example: unknown) => readonly Buffer[] | undefined;
}

/** A filling that returns its value as one buffer and does not specify its kind. */
type Maker = Omit<Filling, 'kind' | 'make'> & {
  readonly make: (size: Size, example: unknown) => Buffer | undefined;
};

const json = (value: unknown): string => JSON.stringify(value);

/**
 * Repeats a pattern.
 * @param last replaces the last repetition
 */
function repeated(
  pattern: string,
  { bytes }: Size,
  [first, last]: readonly [string, string] = ['', ''],
  most = Number.POSITIVE_INFINITY,
): Buffer {
  const length = Buffer.byteLength(pattern);
  const start = Buffer.byteLength(first);
  const count = Math.max(0, Math.min(most, Math.floor((bytes - start - Buffer.byteLength(last)) / length)));
  const end = start + count * length;
  const buffer = Buffer.allocUnsafeSlow(end + Buffer.byteLength(last));
  buffer.write(first);
  if (count > 0) buffer.fill(pattern, start, end);
  buffer.write(last, end);
  return buffer;
}

const text = (pattern: string, size: Size, last = '', first = ''): Buffer =>
  repeated(pattern, size, [`"${first}`, `${last}"`]);

interface Items {
  readonly separator: string;
  readonly ends?: readonly [string, string];
  readonly most?: number;
}

/** Creates as many distinct items as the size limit allows. */
function items(
  { bytes }: Size,
  item: (index: number) => string,
  { separator, ends: [first, last] = ['', ''], most = Number.POSITIVE_INFINITY }: Items,
): Buffer {
  const parts: string[] = [];
  let length = first.length + last.length;
  for (let index = 0; index < most; index += 1) {
    const part = item(index);
    length += Buffer.byteLength(part) + separator.length;
    if (length > bytes) break;
    parts.push(part);
  }
  return Buffer.from(first + parts.join(separator) + last);
}

/**
 * Creates distinct items up to the limit on JSON values. Each item is as long as possible.
 * @param values the number of JSON values in each item
 */
function widest(
  size: Size,
  item: (index: string, padding: string) => string,
  { separator, ends = ['', ''], most: limit = size.values, values = 1 }: Items & { readonly values?: number },
): Buffer {
  const most = Math.floor(Math.min((size.values * 0.98) / values, limit));
  const room = Math.floor(size.bytes / most) - separator.length;
  const padding = 'v'.repeat(Math.max(0, room - Buffer.byteLength(item('0000000', '')) - 1));
  return items(size, (index) => item(String(index).padStart(7, '0'), padding), { separator, ends, most });
}

const list = { separator: ',', ends: ['[', ']'] } as const;
const quoted = (separator: string) => ({ separator, ends: ['"', '"'] }) as const;
const map = { separator: ',' } as const;

/** Options for a map with almost the maximum number of fields, including the fields of the example. */
const fullMap = { ...map, most: maxJsonFields * 0.98 } as const;

const textFillings: readonly Maker[] = [
  { name: 'letters', isForAll: true, make: (size) => text('a', size) },
  {
    name: 'lines of name=value',
    isForAll: true,
    make: (size) => items(size, (index) => `dc:t${index}=v`, quoted('\\n')),
  },
  {
    name: 'as many lines as values are allowed',
    isForAll: true,
    make: (size) => widest(size, (index, padding) => `dc:t${index}=${padding}`, quoted('\\n')),
  },
  { name: 'words', make: (size) => items(size, (index) => `w${index.toString(36)}`, quoted(' ')) },
  { name: 'items with commas', make: (size) => text('a,', size) },
  {
    name: 'as many items with commas as values are allowed',
    make: (size) => widest(size, (index, padding) => `${index}${padding}`, quoted(',')),
  },
  {
    name: 'the example with commas',
    usesExample: true,
    make: (size, example) =>
      typeof example === 'string' && example !== ''
        ? text(`${json(example).slice(1, -1)},`, size)
        : undefined,
  },
  {
    name: 'a query with more conditions',
    usesExample: true,
    make: (size, example) => {
      if (typeof example !== 'string' || !/^select /i.test(example)) return undefined;
      const start = example.replace(/ where .*/i, '');
      return text(" OR dc:title = 'x'", size, '', `${start} WHERE dc:title = 'x'`);
    },
  },
  {
    name: 'a query with a long list',
    usesExample: true,
    make: (size, example) => {
      if (typeof example !== 'string' || !/^select /i.test(example)) return undefined;
      const start = example.replace(/ where .*/i, '');
      return text("'x',", size, "'x')", `${start} WHERE dc:title IN (`);
    },
  },
  { name: 'JSON: a list', make: (size) => text('1,', size, '1]', '[') },
  {
    name: 'JSON: a map',
    make: (size) => items(size, (index) => `\\"k${index}\\":1`, { separator: ',', ends: ['"{', '}"'] }),
  },
  { name: 'JSON: nested', make: (size) => text('[', size) },
  { name: 'digits', make: (size) => text('7', size) },
  { name: 'blanks', make: (size) => text(' ', size, 'x', 'x') },
  { name: 'empty lines', make: (size) => text('\\n', size) },
  { name: 'letters with separate accents', make: (size) => text('e\u0301', size) },
  { name: 'unordered combining marks', make: (size) => text('\u0301\u0323', size) },
  { name: 'escapes', make: (size) => text('\\u0041', size) },
  { name: 'quotes', make: (size) => text("'", size) },
  { name: 'brackets', make: (size) => text('(', size) },
  { name: 'slashes', make: (size) => text('/a', size) },
  { name: 'backslashes', make: (size) => text('\\\\', size) },
  { name: 'an expression', make: (size) => text('(', size, '', 'expr:') },
  { name: 'HTML tags', make: (size) => text('<a>', size) },
  { name: 'emoji', make: (size) => text('\u{1F600}', size) },
];

const listFillings: readonly Maker[] = [
  { name: 'empty objects', isForAll: true, make: (size) => repeated('{},', size, ['[', '{}]']) },
  {
    name: 'as many texts as values are allowed',
    isForAll: true,
    make: (size) => widest(size, (index, padding) => `"${index}${padding}"`, list),
  },
  {
    name: 'the item of the example',
    isForAll: true,
    usesExample: true,
    make: (size, example) => {
      const item = Array.isArray(example) ? example[0] : example;
      if (item === undefined) return undefined;
      const one = json(item);
      return repeated(`${one},`, size, ['[', `${one}]`], Math.floor(size.values * 0.9) - 1);
    },
  },
  { name: 'texts', make: (size) => repeated('"a",', size, ['[', '"a"]']) },
  { name: 'numbers', make: (size) => repeated('1,', size, ['[', '1]']) },
  { name: 'nulls', make: (size) => repeated('null,', size, ['[', 'null]']) },
  { name: 'empty lists', make: (size) => repeated('[],', size, ['[', '[]]']) },
  {
    name: 'as many empty objects as values are allowed',
    make: (size) => items(size, () => '{}', { ...list, most: Math.floor(size.values * 0.98) }),
  },
  {
    name: 'as many documents as values are allowed',
    make: (size) =>
      widest(size, (index, padding) => `{"entity-type":"document","uid":"${index}","path":"/${padding}"}`, {
        ...list,
        values: 4,
      }),
  },
  { name: 'one long text', make: (size) => repeated('a', size, ['["', '"]']) },
  { name: 'nested far beyond the limit', make: (size) => repeated('[', size) },
  {
    name: 'nested as deeply as allowed',
    make: (size) =>
      items(size, () => `${'['.repeat(80)}${']'.repeat(80)}`, {
        ...list,
        most: Math.floor((size.values * 0.9) / 80),
      }),
  },
];

const mapFillings: readonly Maker[] = [
  {
    name: 'unknown names',
    isForAll: true,
    make: (size) => items(size, (index) => `"k${index}":1`, map),
  },
  {
    name: 'as many unknown names as allowed',
    isForAll: true,
    make: (size) => widest(size, (index, padding) => `"k${index}":"${padding}"`, fullMap),
  },
  {
    name: 'as many long unknown names as allowed',
    make: (size) => widest(size, (index, padding) => `"dc:${index}${padding}":1`, fullMap),
  },
  { name: 'unknown Dublin Core names', make: (size) => items(size, (index) => `"dc:t${index}":1`, map) },
  {
    name: 'the same name repeated',
    make: (size) => repeated('"dc:title":"a",', size, ['', '"dc:title":"b"']),
  },
  { name: 'one long name', make: (size) => repeated('k', size, ['"', '":1']) },
  { name: 'one long text', make: (size) => repeated('a', size, ['"k":"', '"']) },
  { name: 'numbers as names', make: (size) => items(size, (index) => `"${index * 7}":1`, map) },
  { name: 'nested far beyond the limit', make: (size) => repeated('{"k":', size, ['"k":', '']) },
  {
    name: 'as many maps as allowed',
    make: (size) =>
      widest(size, (index, padding) => `"k${index}":{"a":"${padding}","b":[1]}`, { ...fullMap, values: 4 }),
  },
  {
    name: 'one list with as many values as allowed',
    make: (size) =>
      widest(size, (index, padding) => `"${index}${padding}"`, { separator: ',', ends: ['"k":[', ']'] }),
  },
];

const numberFillings: readonly Maker[] = [
  { name: 'a number of many digits', isForAll: true, make: (size) => repeated('7', size) },
  { name: 'decimal places', make: (size) => repeated('3', size, ['0.', '']) },
  { name: 'an exponent', make: (size) => repeated('9', size, ['1e', '']) },
  { name: 'a text of many digits', make: (size) => text('7', size) },
];

/**
 * Creates fillings. Values that do not depend on an example are cached, because creating 10 MB can take longer than the
 * server needs to reject them.
 */
const of = (kind: Kind, some: readonly Maker[]): Filling[] =>
  some.map((maker) => {
    const made = new Map<number, readonly Buffer[]>();
    const make: Filling['make'] = (size, example) => {
      const known = made.get(size.bytes);
      if (known) return known;
      const bytes = maker.make(size, example);
      if (bytes && !maker.usesExample) made.set(size.bytes, [bytes]);
      return bytes && [bytes];
    };
    return { kind, ...maker, make };
  });

export const fillings: Readonly<Record<Kind, readonly Filling[]>> = {
  text: of('text', textFillings),
  list: of('list', listFillings),
  map: of('map', mapFillings),
  number: of('number', numberFillings),
};

/** Ways to create JSON for an uploaded file in which one text field is very long. */
const blobFillings: readonly Filling[] = of(
  'map',
  ['content', 'name', 'mime-type', 'upload-batch', 'data'].map((field) => ({
    name: `a file with a long ${field}`,
    make: (size) => repeated('a', size, [`"name":"a.txt",${json(field)}:"`, '"']),
  })),
);

/** Returns the test values for a document property. Some of them do not match the property's type. */
function fillingsOf({ type, many }: Property): readonly Filling[] {
  if (many) return fillings.list;
  if (type === 'blob') return blobFillings;
  if (type === 'complex') return fillings.map;
  return type === 'long' || type === 'double' ? fillings.number : fillings.text;
}

const perProperty = 3;

/**
 * Creates test values for document properties. Each sets one known property. The property names do not count towards
 * the size limits.
 */
export function propertyFillings(types: readonly DocumentType[]): Filling[] {
  const all = types.flatMap(({ schemas }) => schemas.flatMap(({ properties }) => [...properties.values()]));
  const properties = [...new Map(all.map((property) => [property.xpath, property])).values()];
  return properties.flatMap((property, index) => {
    const possible = fillingsOf(property).filter(({ usesExample }) => !usesExample);
    const some = Array.from({ length: Math.min(perProperty, possible.length) }, (_, turn) =>
      turn === 0
        ? possible[0]
        : possible[1 + ((index * (perProperty - 1) + turn - 1) % (possible.length - 1))],
    );
    return some.flatMap((filling): Filling[] => {
      if (!filling) return [];
      const { name, kind, make } = filling;
      const [first, last] = kind === 'map' ? ['{', '}'] : ['', ''];
      return [
        {
          name: `${property.xpath}: ${name}`,
          kind: 'map',
          make: (size) => {
            const value = make(size, undefined);
            return value && [Buffer.from(`${json(property.xpath)}:${first}`), ...value, Buffer.from(last)];
          },
        },
      ];
    });
  });
}
