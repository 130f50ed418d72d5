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
  enrichers: 'The enrichers whose data is added to `contextParameters` or to blobs.',
  fetch: 'The references that are replaced by their entities.',
  translate: 'The fields that are translated into the language of `Accept-Language`.',
};

const fixedHeaders = Object.values(headerDefinitions);

export const fixedHeaderRefs = (traits: ReadonlySet<string>): Json[] => [
  ...fixedHeaders.filter(({ appliesTo }) => traits.has(appliesTo)).map(({ name }) => ref('parameters', name)),
  ref('parameters', 'Prefer'),
];

const preferDescription =
  '`handling=strict` refuses unknown names. `explain`, for administrators, runs the call, rolls it back ' +
  'and answers an `Explain`. Its status is that of the call, or 200 if that status has no body.';

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
    header(
      'If-Match',
      'The `ETag` of the expected state. If the current state differs, the answer is 412.',
      textSchema,
    ),
    header(
      'If-None-Match',
      'An `ETag`, or `*`. If the document is in this state (`*`: if it exists), the answer is 412.',
      textSchema,
    ),
    header('Prefer', preferDescription, textSchema),
    header('Range', 'The requested range of bytes, such as `bytes=0-99`.', textSchema),
    {
      name: 'inline',
      in: 'query',
      schema: { type: 'boolean', default: false },
      description: 'Whether browsers display the file instead of saving it.',
    },
  ];
  return Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter]));
}
