import { headerDefinitions } from '../rest/request/fixed-headers.ts';
import { type ContributedNames, openListHeaders, type ResponseShape } from '../rest/request/headers.ts';
import { type Json, ref, textSchema } from './json-schema.ts';

export const listHeaders: readonly string[] = ['properties', ...openListHeaders];

const namesOf = (header: string, { properties, ...contributed }: ContributedNames): string[] => {
  if (header === 'properties') return [...properties].sort();
  const [family = '', type = ''] = header.split('.');
  const names = contributed[family as keyof typeof contributed][type.toLowerCase()];
  return [...(names ?? [])].sort();
};

/**
 * The shape of a request whose list headers contain all names, except one header that is absent.
 * `fetch.document` accepts the names of `fetch.acls` too, so these are removed from it as well if
 * `fetch.acls` is absent.
 */
export function fullShape(contributed: ContributedNames, absent?: string): ResponseShape {
  const without = new Set(absent === 'fetch.acls' ? namesOf(absent, contributed) : []);
  const shapeOf = (family: 'enrichers' | 'fetch' | 'translate') =>
    Object.fromEntries(
      openListHeaders
        .filter((header) => header.startsWith(`${family}.`) && header !== absent)
        .map((header) => [
          header.slice(family.length + 1).toLowerCase(),
          namesOf(header, contributed).filter((name) => !without.has(name)),
        ]),
    );
  return {
    depth: 1,
    enrichers: shapeOf('enrichers'),
    fetch: shapeOf('fetch'),
    translate: shapeOf('translate'),
    properties: absent === 'properties' ? undefined : [],
  };
}

const descriptions: Readonly<Record<string, string>> = {
  properties: 'The schemas whose properties the answer has; all when absent.',
  enrichers: 'What is added to `contextParameters`, or to blobs.',
  fetch: 'What is included instead of its id.',
  translate: 'What is translated into the language of `Accept-Language`.',
};

const fixedHeaders = Object.values(headerDefinitions);

export const fixedHeaderRefs = (traits: ReadonlySet<string>): Json[] => [
  ...fixedHeaders.filter(({ appliesTo }) => traits.has(appliesTo)).map(({ name }) => ref('parameters', name)),
  ref('parameters', 'Prefer'),
];

const preferDescription =
  '`handling=strict`: unknown names are refused. `explain`, for administrators: the call is run and undone, ' +
  'and answers an `Explain` with the status that its answer would have had, or 200 where that has no body.';

export function sharedParameters(contributed: ContributedNames): Record<string, Json> {
  const header = (name: string, description: string, schema: Json, style?: 'simple'): Json => ({
    name,
    in: 'header',
    description,
    ...(style && { style }),
    schema,
  });
  const parameters = [
    ...fixedHeaders.map(({ name, description, schema }) => header(name, description, schema)),
    ...listHeaders.map((name) => {
      const items = { type: 'string', enum: namesOf(name, contributed) };
      return header(name, descriptions[name.split('.')[0] ?? ''] ?? '', { type: 'array', items }, 'simple');
    }),
    header('If-Match', 'The `ETag` of the expected state; 412 when the current one differs.', textSchema),
    header(
      'If-None-Match',
      'An `ETag`, or `*`: 412 when the document is in this state, or exists at all.',
      textSchema,
    ),
    header('Prefer', preferDescription, textSchema),
    header('Range', 'The range of bytes: `bytes=0-99`.', textSchema),
    {
      name: 'inline',
      in: 'query',
      schema: { type: 'boolean', default: false },
      description: 'Whether browsers display the file instead of saving it.',
    },
  ];
  return Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter]));
}
