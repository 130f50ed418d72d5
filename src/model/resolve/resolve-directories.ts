import type { DirectoryDefinition } from '../definitions.ts';
import type { Directory, Property, Schema } from '../model.ts';
import type { ReportFault } from '../model-error.ts';

interface Context {
  readonly schemas: ReadonlyMap<string, Schema>;
  readonly report: (definition: DirectoryDefinition) => ReportFault;
  /** The file of each contributed definition. */
  readonly origins: ReadonlyMap<object, string>;
}

/** Resolves directories, and reports invalid fields, parents and schemas. A directory without a schema is omitted. */
export function resolveDirectories(
  definitions: ReadonlyMap<string, DirectoryDefinition>,
  { schemas, report, origins }: Context,
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
    name,
    idField,
    parent,
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

/**
 * Converts a property to a field of directory entries, which has an xpath without a prefix. The field `parent` refers
 * to the parent directory.
 */
const entryField =
  (parent: string | undefined) =>
  ([name, property]: [string, Property]): [string, Property] => {
    const field = { ...property, xpath: name };
    if (name !== 'parent' || parent === undefined) return [name, field];
    return [name, { ...field, refersTo: { to: 'directory', directory: parent } }];
  };

function checkFields(
  definition: DirectoryDefinition,
  { name, properties }: Schema,
  report: ReportFault,
): void {
  const { idField = 'id', generatedId = false, secrets = [] } = definition;
  const id = properties.get(idField);
  const idType = generatedId ? 'long' : 'string';
  if (!id) report('.idField', `the schema ${name} has no field named ${idField}`);
  else if (id.type !== idType || id.many) {
    report(
      '.idField',
      `${idField} must be a ${idType}, because ids are ${generatedId ? '' : 'not '}generated`,
    );
  }
  secrets.forEach((secret, index) => {
    const field = properties.get(secret);
    if (!field) report(`.secrets[${index}]`, `the schema ${name} has no field named ${secret}`);
    else if (field.type !== 'string' || field.many) report(`.secrets[${index}]`, `${secret} is not a string`);
    else if (secret === idField) report(`.secrets[${index}]`, 'an id cannot be secret');
  });
  const ordering = properties.get('ordering');
  if (ordering && (ordering.type !== 'long' || ordering.many)) {
    report('.schema', `${name}.ordering must be a long, because lists of entries are sorted by it`);
  }
  if (generatedId && definition.entries)
    report('.entries', 'a directory with generated ids cannot have initial entries');
  for (const field of properties.values()) {
    // A blob in an entry would be deleted as unused, because the sweep searches only documents for references to blobs.
    if (hasBlob(field)) report('.schema', `${name}.${field.name} is a blob, which entries cannot have`);
    // Fields of entries have no prefix, so a field named "constructor", for example, would be confused with a
    // member that all objects inherit.
    if (field.name in {})
      report('.schema', `${name}.${field.name} cannot be the name of a field of an entry`);
  }
}

const hasBlob = ({ type, fields }: Property): boolean =>
  type === 'blob' || [...fields.values()].some((field) => hasBlob(field));

function checkParent(
  { parent }: DirectoryDefinition,
  { schema, definitions }: { schema: Schema; definitions: ReadonlyMap<string, DirectoryDefinition> },
  report: ReportFault,
): void {
  if (parent === undefined) return;
  if (!definitions.has(parent)) report('.parent', `there is no directory ${parent}`);
  const field = schema.properties.get('parent');
  if (!field) report('.parent', `the schema ${schema.name} has no field named parent`);
  else if (field.type !== 'string' || field.many)
    report('.parent', `${schema.name}.parent must be a string, because ids are strings`);
}
