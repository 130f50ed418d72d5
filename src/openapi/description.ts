import { operationByName, operations } from '../automation/index.ts';
import { isAvailableTo, type Operation } from '../automation/operation.ts';
import { withOperationRoutes } from '../rest/automation/call-routes.ts';
import { sections } from '../rest/routes.ts';
import { answerHeaders } from './answer-headers.ts';
import { type DescribedRoute, type OpenApiSource, RouteDescriber } from './describe-routes.ts';
import { errorSchemas, sharedErrorResponses } from './errors.ts';
import { readAnswers } from './examples/answers.ts';
import { withExample } from './examples/with-example.ts';
import { sharedParameters } from './headers.ts';
import { type Json, objectSchema, orNull, ref, textSchema } from './json-schema.ts';
import { templateOf } from './parameters.ts';

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

/** The schemas of explanations (§9 `Prefer: explain`). */
const explainSchemas: Readonly<Record<string, Json>> = {
  Explain: {
    description: 'The effects of a call that was run and rolled back (§9).',
    ...objectSchema({
      'entity-type': { type: 'string', const: 'explain' },
      status: described(integer, 'The status that the response would have had.'),
      error: orNull(objectSchema({ code: textSchema, message: textSchema })),
      route: objectSchema({ name: textSchema, method: textSchema, path: textSchema }),
      headers: list(
        ref('schemas', 'ExplainedHeader'),
        'The effects of headers, or of the query parameters used instead of them.',
      ),
      operations: list(ref('schemas', 'ExplainedOperation'), 'The GraphQL operations, in order.'),
      statements: list(ref('schemas', 'ExplainedStatement'), 'The first 1000 database statements.'),
      statementCount: integer,
      permissions: list(ref('schemas', 'ExplainedPermission'), 'The first 100 permission checks.'),
    }),
  },
  ExplainedHeader: objectSchema({
    name: textSchema,
    in: { type: 'string', enum: ['header', 'query'] },
    value: {},
    sets: described(anything, 'The options of the call that the header sets.'),
    adds: list(
      textSchema,
      'The fields that the header adds to the operation. If it adds nested fields, only the innermost ones are listed.',
    ),
    removes: list(textSchema),
  }),
  ExplainedOperation: objectSchema({
    kind: { type: 'string', enum: ['query', 'mutation'] },
    query: textSchema,
    variables: described(anything, 'The variables, without credentials and hashes.'),
    milliseconds,
    explorer: described(
      orNull(textSchema),
      'The URL that opens GraphiQL with the operation; null if it would be too long.',
    ),
  }),
  ExplainedStatement: objectSchema({
    operation: described(orNull(integer), 'The index of the operation that sent the statement.'),
    name: orNull(textSchema),
    sql: described(textSchema, 'The SQL, without the values of its parameters.'),
    rows: described(orNull(integer), 'The number of rows found or changed; null if the statement failed.'),
    milliseconds,
  }),
  ExplainedPermission: objectSchema({
    uid: textSchema,
    path: textSchema,
    permission: textSchema,
    granted: { type: 'boolean' },
    reason: { type: 'string', enum: ['administrator', 'ace', 'lock', 'nothing'] },
    ace: described(
      orNull(ace),
      'The ACE that decides, or would decide if the caller were not an administrator.',
    ),
    place: described(
      orNull(objectSchema({ uid: textSchema, path: textSchema })),
      'The document that contains the ACE.',
    ),
  }),
};

const info: Json = {
  title: 'Quire',
  summary: 'A content server',
  description:
    'Documents in a tree of folders, with types, schemas, vocabularies, versions and files. ' +
    'Section numbers such as §4.1 refer to docs/contract.md, which names the page for each section.',
  version: 'v1',
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
};

/** The ways to authenticate (§5). */
const securitySchemes: Readonly<Record<string, Json>> = {
  basic: { type: 'http', scheme: 'basic', description: 'User name and password.' },
  token: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Authentication-Token',
    description: 'A login token, from `POST /token`.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'A JWT, or an access token of OAuth 2.0.' },
};

interface Audience {
  readonly isAdministrator: boolean;
}

const operationsTag = ({ category }: Operation): string => `Operations: ${category}`;

function describedRoutes(audience: Audience): DescribedRoute[] {
  const entries = new Map<string, DescribedRoute>();
  for (const { name: section, isSearch = false, routes } of sections) {
    for (const route of withOperationRoutes(routes).filter(
      ({ isHidden }) => audience.isAdministrator || !isHidden,
    )) {
      const { method, path, openApiPath = path } = route;
      const isShared = route.openApiPath !== undefined;
      const operation = isShared ? undefined : operationByName(route.operation ?? '');
      const tag = operation ? operationsTag(operation) : section;
      entries.set(`${method} ${openApiPath}`, {
        route,
        path: openApiPath,
        tag,
        isSearch,
        operation,
        isShared,
      });
    }
  }
  return [...entries.values()];
}

const operationNames = (audience: Audience): string[] =>
  operations
    .filter((operation) => isAvailableTo(operation, audience))
    .flatMap(({ id, aliases = [] }) => [id, ...aliases])
    .sort();

function pathsOf(routes: readonly DescribedRoute[], describer: RouteDescriber): Record<string, Json> {
  const paths: Record<string, Record<string, Json>> = {};
  const shown = readAnswers();
  const add = (path: string, method: string, operation: Json) => {
    const { template } = templateOf(path);
    paths[template] = { ...paths[template], [method]: withExample(operation, shown) };
  };
  for (const described of routes) {
    const { path, route, isShared } = described;
    add(path, route.method, describer.describe(described));
    if (isShared && route.operation) add(`${path}/@async`, 'post', describer.describeAsync(described));
  }
  return paths;
}

function tagsOf(routes: readonly DescribedRoute[]): Json[] {
  const categories = new Map(
    routes.flatMap(({ operation }) =>
      operation ? [[operationsTag(operation), operation.category] as const] : [],
    ),
  );
  return [
    ...sections.map(({ name, description }) => ({ name, description })),
    ...[...categories]
      .sort()
      .map(([name, category]) => ({ name, description: `Operations of the category ${category} (§4.7).` })),
  ];
}

/** Removes shared parameters that no path uses, because linters report them. */
const referenced = (parameters: Readonly<Record<string, Json>>, paths: Json): Record<string, Json> => {
  const text = JSON.stringify(paths);
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => text.includes(`/${name}"`)));
};

/** Returns the OpenAPI 3.1 description of the REST API below /api/v1, without `servers`. */
export function openApiDescription(source: OpenApiSource, audience: Audience): Json {
  const routes = describedRoutes(audience);
  const describer = new RouteDescriber(source);
  const paths = pathsOf(routes, describer);
  return {
    openapi: '3.1.0',
    info,
    security: Object.keys(securitySchemes).map((scheme) => ({ [scheme]: [] })),
    tags: tagsOf(routes),
    paths,
    components: {
      schemas: {
        ...describer.entitySchemas.schemas(),
        ...describer.bodies.schemas,
        OperationName: { type: 'string', enum: operationNames(audience) },
        ...explainSchemas,
        ...errorSchemas,
      },
      responses: sharedErrorResponses(),
      headers: answerHeaders,
      parameters: referenced(sharedParameters(source.contributed), paths),
      securitySchemes,
    },
  };
}

/** Matches a `$ref` that is printed on several lines. */
const reference = /\{\s+("\$ref": "[^"]+")\s+\}/g;

/** Prints JSON with indentation, but with each example on a single line. */
function printed(description: Json): string {
  const lines: string[] = [];
  const mark = (key: string, value: unknown) =>
    key === 'example' && typeof value === 'object'
      ? `example ${lines.push(JSON.stringify(value)) - 1}`
      : value;
  return JSON.stringify(description, mark, 2)
    .replace(reference, '{ $1 }')
    .replaceAll(/"example (\d+)"/g, (_, at: string) => lines[Number(at)] ?? '');
}

/** Returns the content of `openapi.json`: the description that a newly installed server sends to administrators. */
export function printedOpenApi(source: OpenApiSource): string {
  const servers = [{ url: 'http://localhost:8080/api/v1' }];
  const description = { ...openApiDescription(source, { isAdministrator: true }), servers };
  return `${printed(description)}\n`;
}
