import { sections } from '../routes.ts';
import { type Described, Describing } from './describing.ts';
import { errorSchemas, sharedErrors } from './errors.ts';
import { sharedParameters } from './headers.ts';
import type { Json } from './json-schema.ts';
import { templateOf } from './parameters.ts';
import { operationNames, type Reader, type Row, rowsOf, tagOf } from './rows.ts';
import { securitySchemes } from './security.ts';

const info: Json = {
  title: 'Quire',
  summary: 'A content server',
  description:
    'Documents in a tree of folders, with types, schemas, vocabularies, versions and files. ' +
    '§4.1 is a section of docs/contract.md, which says what each call means.',
  version: 'v1',
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
};

function pathsOf(rows: readonly Row[], describing: Describing): Record<string, Json> {
  const paths: Record<string, Record<string, Json>> = {};
  const put = (path: string, method: string, operation: Json) => {
    const { template } = templateOf(path);
    paths[template] = { ...paths[template], [method]: operation };
  };
  for (const row of rows) {
    const { path, route, isOfMany } = row;
    put(path, route.method, describing.operation(row));
    if (isOfMany && route.operation) put(`${path}/@async`, 'post', describing.later(row));
  }
  return paths;
}

function tagsOf(rows: readonly Row[]): Json[] {
  const categories = new Map(
    rows.flatMap(({ operation }) => (operation ? [[tagOf(operation), operation.category] as const] : [])),
  );
  return [
    ...sections.map(({ name, description }) => ({ name, description })),
    ...[...categories]
      .sort()
      .map(([name, category]) => ({ name, description: `Operations of the category ${category} (§4.7).` })),
  ];
}

/** Those shared parts that something points to. */
const used = (shared: Readonly<Record<string, Json>>, text: string): Record<string, Json> =>
  Object.fromEntries(Object.entries(shared).filter(([name]) => text.includes(`/${name}"`)));

/** The interface below /api/v1 as OpenAPI 3.1, as somebody may know of it; but for where the server is. */
export function describe(described: Described, reader: Reader): Json {
  const rows = rowsOf(sections, reader);
  const describing = new Describing(described);
  const paths = pathsOf(rows, describing);
  const text = JSON.stringify(paths);
  return {
    openapi: '3.1.0',
    info,
    security: Object.keys(securitySchemes).map((scheme) => ({ [scheme]: [] })),
    tags: tagsOf(rows),
    paths,
    components: {
      schemas: {
        ...describing.components.schemas(),
        ...describing.bodies.schemas,
        OperationName: { type: 'string', enum: operationNames(reader) },
        ...errorSchemas,
      },
      responses: sharedErrors(),
      parameters: used(sharedParameters(described.contributed), text),
      securitySchemes,
    },
  };
}
