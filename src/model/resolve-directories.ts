import type { DirectoryDefinition } from './definitions.ts';
import type { Report } from './field-faults.ts';
import type { Directory, Property, Schema } from './model.ts';

/** What directories are resolved against. */
export interface DirectoriesContext {
  readonly schemas: ReadonlyMap<string, Schema>;
  readonly report: (definition: DirectoryDefinition) => Report;
  /** Which file contributes what. */
  readonly origins: ReadonlyMap<object, string>;
}

/** All directories; faulty fields, parents and schemas are reported, and directories without a schema left out. */
export function resolveDirectories(
  definitions: ReadonlyMap<string, DirectoryDefinition>,
  { schemas, report, origins }: DirectoriesContext,
): ReadonlyMap<string, Directory> {
  const resolved = new Map<string, Directory>();
  for (const definition of definitions.values()) {
    const schema = schemas.get(definition.schema);
    const reportHere = report(definition);
    if (!schema) {
      reportHere('.schema', `there is no schema ${definition.schema}`);
      continue;
    }
    checkFields(definition, schema, reportHere);
    checkParent(definition, { schema, definitions }, reportHere);
    resolved.set(definition.name, {
      ...resolveDirectory(definition, schema, definitions),
      file: origins.get(definition),
    });
  }
  return resolved;
}

function resolveDirectory(
  definition: DirectoryDefinition,
  schema: Schema,
  definitions: ReadonlyMap<string, DirectoryDefinition>,
): Omit<Directory, 'file'> {
  const { name, idField = 'id', generatedId = false, parent, system = false } = definition;
  const children = [...definitions.values()].filter((other) => other.parent === name);
  return {
    ...{ name, idField, parent },
    schema: { ...schema, properties: new Map([...schema.properties].map(entryField(parent))) },
    generatesIds: generatedId,
    children: children.map((child) => child.name),
    isSystem: system,
    types: [...new Set([...(definition.types ?? []), ...(system ? ['system'] : [])])],
    secrets: new Set(definition.secrets),
    joined: new Set(definition.joined),
    entries: definition.entries,
  };
}

/** A field as entries have it: spelled without a prefix, and the parent being an entry of another directory. */
const entryField =
  (parent: string | undefined) =>
  ([name, property]: [string, Property]): [string, Property] => {
    const spelled = { ...property, xpath: name };
    if (name !== 'parent' || parent === undefined) return [name, spelled];
    return [name, { ...spelled, refersTo: { to: 'directory', directory: parent } }];
  };

function checkFields(definition: DirectoryDefinition, { name, properties }: Schema, report: Report): void {
  const { idField = 'id', generatedId = false, secrets = [] } = definition;
  const id = properties.get(idField);
  const idType = generatedId ? 'long' : 'string';
  if (!id) report('.idField', `the schema ${name} has no field named ${idField}`);
  else if (id.type !== idType || id.many) {
    report('.idField', `${idField} must be a ${idType} where ids are ${generatedId ? '' : 'not '}generated`);
  }
  secrets.forEach((secret, index) => {
    const field = properties.get(secret);
    if (!field) report(`.secrets[${index}]`, `the schema ${name} has no field named ${secret}`);
    else if (field.type !== 'string' || field.many) report(`.secrets[${index}]`, `${secret} is no string`);
    else if (secret === idField) report(`.secrets[${index}]`, 'an id cannot be kept secret');
  });
  const ordering = properties.get('ordering');
  if (ordering && (ordering.type !== 'long' || ordering.many)) {
    report('.schema', `${name}.ordering is no long, as lists of entries are sorted by`);
  }
  if (generatedId && definition.entries)
    report('.entries', 'entries whose ids are generated cannot be given');
  for (const field of properties.values()) {
    // The bytes of a blob live as long as a document that holds them.
    if (hasBlob(field)) report('.schema', `${name}.${field.name} is a blob, which no entry can hold`);
    // Entries spell their fields without a prefix, and every object has one called "constructor".
    if (field.name in {}) report('.schema', `${name}.${field.name} is no name for a field of an entry`);
  }
}

const hasBlob = ({ type, fields }: Property): boolean =>
  type === 'blob' || [...fields.values()].some((field) => hasBlob(field));

function checkParent(
  { parent }: DirectoryDefinition,
  { schema, definitions }: { schema: Schema; definitions: ReadonlyMap<string, DirectoryDefinition> },
  report: Report,
): void {
  if (parent === undefined) return;
  if (!definitions.has(parent)) report('.parent', `there is no directory ${parent}`);
  const field = schema.properties.get('parent');
  if (!field) report('.parent', `the schema ${schema.name} has no field named parent`);
  else if (field.type !== 'string' || field.many)
    report('.parent', `${schema.name}.parent is no string, as ids are`);
}
