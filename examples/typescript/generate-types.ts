/**
 * Writes `entities.d.ts`: a type for each entity of REST, made of the OpenAPI document that every server has at
 * `/api/v1/openapi.json`, and that is in this repository too. Run it again after an upgrade of the server.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { compile } from 'json-schema-to-typescript';

const source = new URL('../../openapi.json', import.meta.url);
const { components } = JSON.parse(await readFile(source, 'utf8'));

// OpenAPI 3.1 describes entities by JSON Schema: one schema with a property for each entity names all of them.
const properties = Object.fromEntries(
  Object.keys(components.schemas).map((name) => [name, { $ref: `#/components/schemas/${name}` }]),
);
const schema = { title: 'Entities', type: 'object' as const, components, properties };
const options = { unknownAny: true, format: false, bannerComment: '// Made by generate-types.ts.' };
await writeFile(new URL('entities.d.ts', import.meta.url), await compile(schema, 'Entities', options));
