import { fixed } from '../fixed-headers.ts';
import { type Contributed, openLists, type Shape } from '../headers.ts';
import { type Json, ref } from './json-schema.ts';

const namesOf = (list: string, { properties, ...contributed }: Contributed): string[] => {
  if (list === 'properties') return [...properties].sort();
  const [kind = '', type = ''] = list.split('.');
  const names = contributed[kind as keyof typeof contributed][type.toLowerCase()];
  return [...(names ?? [])].sort();
};

/** What is asked for when all is asked for, but for one list of names. */
export function shapeOf(contributed: Contributed, without?: string): Shape {
  const families = (kind: 'enrichers' | 'fetch' | 'translate') =>
    Object.fromEntries(
      openLists
        .filter((list) => list.startsWith(`${kind}.`) && list !== without)
        .map((list) => [list.slice(kind.length + 1).toLowerCase(), namesOf(list, contributed)]),
    );
  return {
    depth: 1,
    ...{ enrichers: families('enrichers'), fetch: families('fetch'), translate: families('translate') },
    properties: without === 'properties' ? undefined : [],
  };
}

/** The lists of names that headers bring. */
export const lists: readonly string[] = ['properties', ...openLists];

const meanings: Readonly<Record<string, string>> = {
  properties: 'The schemas whose properties are shown; all when absent.',
  enrichers: 'What is added to `contextParameters`.',
  fetch: 'What is shown itself, where otherwise its id stands.',
  translate: 'What is shown in the language of `Accept-Language`.',
};

const fixedHeaders = Object.values(fixed);

/** Which of the headers matter to a call. */
export const headersOn = (kinds: ReadonlySet<string>): Json[] =>
  fixedHeaders.filter(({ on }) => kinds.has(on)).map(({ name }) => ref('parameters', name));

/** All parameters that many rows share, by name. */
export function sharedParameters(contributed: Contributed): Record<string, Json> {
  const header = (name: string, description: string, schema: Json, more: Json = {}): [string, Json] => [
    name,
    { name, in: 'header', description, ...more, schema },
  ];
  return Object.fromEntries([
    ...fixedHeaders.map(({ name, says, schema }) => header(name, says, schema)),
    ...lists.map((list) => {
      const items = { type: 'string', enum: namesOf(list, contributed) };
      const meaning = meanings[list.split('.')[0] ?? ''] ?? '';
      return header(list, meaning, { type: 'array', items }, { style: 'simple' });
    }),
    header('If-Match', 'The `ETag` of the state that is meant; 412 when it is another.', { type: 'string' }),
    header('Range', 'The bytes that are wanted: `bytes=0-99`.', { type: 'string' }),
    [
      'inline',
      {
        ...{ name: 'inline', in: 'query', schema: { type: 'boolean', default: false } },
        description: 'Whether a browser is to show the file, not to save it.',
      },
    ],
  ]);
}
