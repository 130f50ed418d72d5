import { deprecations } from '../deprecations.ts';
import { headerDefinitions } from '../rest/request/fixed-headers.ts';
import { type ContributedNames, openListHeaders, type ResponseShape } from '../rest/request/headers.ts';
import { deprecated } from './deprecated.ts';
import { type Json, ref, textSchema } from './json-schema.ts';

export const listHeaders: readonly string[] = ['properties', ...openListHeaders];

const namesOf = (header: string, { properties, ...contributed }: ContributedNames): string[] => {
  if (header === 'properties') return [...properties].sort();
  const [family = '', type = ''] = header.split('.');
  const names = contributed[family as keyof typeof contributed][type.toLowerCase()];
  return [...(names ?? [])].sort();
};

/**
 * The response shape for a request whose list headers (`enrichers.*`, `fetch.*`, `translate.*`) contain all names,
 * except that the header `absent` is not sent. `fetch.document` also accepts the names of `fetch.acls`, so if
 * `fetch.acls` is absent, its names are removed from `fetch.document` as well.
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
  properties: 'The schemas whose properties the response contains; defaults to all.',
  enrichers: 'The enrichers whose data is added to `contextParameters` or to blobs.',
  fetch: 'The references that are replaced with the entities they refer to.',
  translate: 'The fields that are translated into the language of `Accept-Language`.',
};

const fixedHeaders = Object.values(headerDefinitions);

export const fixedHeaderRefs = (traits: ReadonlySet<string>): Json[] => [
  ...fixedHeaders.filter(({ appliesTo }) => traits.has(appliesTo)).map(({ name }) => ref('parameters', name)),
  ref('parameters', 'Prefer'),
];

const preferDescription =
  '`handling=strict` rejects unknown names. `explain`, for administrators, runs the call, rolls it back ' +
  'and returns an `Explain`. Its status is the status of the call, or 200 if that status has no body.';

export function sharedParameters(contributed: ContributedNames): Record<string, Json> {
  const header = (name: string, description: string, schema: Json, style?: 'simple') => ({
    name,
    in: 'header',
    description,
    ...(style && { style }),
    schema,
  });
  const parameters: Array<Json & { readonly name: string; readonly description: string }> = [
    ...fixedHeaders.map(({ name, description, schema }) => header(name, description, schema)),
    ...listHeaders.map((name) => {
      const items = { type: 'string', enum: namesOf(name, contributed) };
      return header(name, descriptions[name.split('.')[0] ?? ''] ?? '', { type: 'array', items }, 'simple');
    }),
    header(
      'If-Match',
      'The `ETag` of the expected state. If the current state differs, the response is a 412.',
      textSchema,
    ),
    header(
      'If-None-Match',
      'An `ETag`, or `*`. If the document is in this state (for `*`: if it exists), the response is a 412.',
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
  return Object.fromEntries(
    parameters.map((parameter) => {
      const { name, description } = parameter;
      return [name, { ...parameter, ...deprecated(description, deprecations.parameters[name]) }];
    }),
  );
}
