import { type Json, objectSchema, orNull, ref, textSchema } from './json-schema.ts';

const described = (schema: Json, description: string): Json => ({ ...schema, description });
const list = (items: Json, description?: string): Json => ({
  type: 'array',
  items,
  ...(description && { description }),
});
const integer: Json = { type: 'integer' };
const milliseconds: Json = { type: 'number', description: 'Milliseconds.' };
const anything: Json = { type: 'object', additionalProperties: true };

const ace = objectSchema({
  id: textSchema,
  username: textSchema,
  permission: textSchema,
  granted: { type: 'boolean' },
  begin: orNull(textSchema),
  end: orNull(textSchema),
});

/** §9 `Prefer: explain` */
export const explainSchemas: Readonly<Record<string, Json>> = {
  Explain: {
    description: 'What a call would do: it was run and undone (§9).',
    ...objectSchema({
      'entity-type': { type: 'string', const: 'explain' },
      status: described(integer, 'The status that the answer would have had.'),
      error: orNull(objectSchema({ code: textSchema, message: textSchema })),
      route: objectSchema({ name: textSchema, method: textSchema, path: textSchema }),
      headers: list(
        ref('schemas', 'ExplainedHeader'),
        'What headers, or query parameters instead, contribute.',
      ),
      operations: list(ref('schemas', 'ExplainedOperation'), 'What the GraphQL schema is asked, in order.'),
      statements: list(ref('schemas', 'ExplainedStatement'), 'The first 1000 that are sent to the database.'),
      statementCount: integer,
      permissions: list(ref('schemas', 'ExplainedPermission'), 'The first 100 that are asked for.'),
    }),
  },
  ExplainedHeader: objectSchema({
    name: textSchema,
    in: { type: 'string', enum: ['header', 'query'] },
    value: {},
    sets: described(anything, 'Options of the call.'),
    adds: list(textSchema, 'Fields of the operation: of nested ones, the innermost.'),
    removes: list(textSchema),
  }),
  ExplainedOperation: objectSchema({
    kind: { type: 'string', enum: ['query', 'mutation'] },
    query: textSchema,
    variables: described(anything, 'Without credentials and hashes.'),
    milliseconds,
    explorer: described(orNull(textSchema), 'Where GraphiQL opens with it; null where that is too long.'),
  }),
  ExplainedStatement: objectSchema({
    operation: described(orNull(integer), 'The index of its operation.'),
    name: orNull(textSchema),
    sql: described(textSchema, 'Without the values of its parameters.'),
    rows: described(orNull(integer), 'How many it has found or changed; null when it has failed.'),
    milliseconds,
  }),
  ExplainedPermission: objectSchema({
    uid: textSchema,
    path: textSchema,
    permission: textSchema,
    granted: { type: 'boolean' },
    reason: { type: 'string', enum: ['administrator', 'ace', 'lock', 'nothing'] },
    ace: described(orNull(ace), 'The ACE that decides, or would if the caller were no administrator.'),
    place: described(
      orNull(objectSchema({ uid: textSchema, path: textSchema })),
      'The document that the ACE stands on.',
    ),
  }),
};
