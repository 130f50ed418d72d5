import type { DirectoryDefinition, FieldDefinition, FieldType, SchemaDefinition } from './definitions.ts';
import { checkField, type Report, scalarOf } from './field-faults.ts';
import type { Property, Schema } from './model.ts';

type Fields = Readonly<Record<string, FieldDefinition | FieldType>>;

/** What schemas are resolved against. */
export interface SchemasContext {
  directories: ReadonlyMap<string, DirectoryDefinition>;
  report: (definition: SchemaDefinition) => Report;
}

export interface ResolvedSchemas {
  schemas: ReadonlyMap<string, Schema>;
  /** All top-level properties by xpath. */
  properties: ReadonlyMap<string, Property>;
}

/** All schemas; faulty fields and prefixes are reported. */
export function resolveSchemas(
  definitions: ReadonlyMap<string, SchemaDefinition>,
  { directories, report }: SchemasContext,
): ResolvedSchemas {
  const schemas = new Map<string, Schema>();
  const properties = new Map<string, Property>();
  const owners = new Map<string, string>();

  for (const [name, definition] of definitions) {
    const reportHere = report(definition);
    checkPrefix(definition, definitions, reportHere);
    const schema = resolveSchema(definition, { directories, report: reportHere });
    schemas.set(name, schema);
    // Schemas may share a prefix as long as no xpath means two things.
    for (const property of schema.properties.values()) {
      const owner = owners.get(property.xpath);
      if (owner !== undefined) {
        reportHere(
          `.fields.${property.name}`,
          `${property.xpath} is a property of the schema ${owner} already`,
        );
      }
      owners.set(property.xpath, name);
      properties.set(property.xpath, property);
    }
  }
  return { schemas, properties };
}

function checkPrefix(
  { name, prefix }: SchemaDefinition,
  definitions: ReadonlyMap<string, SchemaDefinition>,
  report: Report,
): void {
  if (prefix === undefined || prefix === name) return;
  if (!isFieldName(prefix)) report('.prefix', `${JSON.stringify(prefix)} is no prefix`);
  if (definitions.has(prefix)) report('.prefix', `${prefix} is the name of another schema`);
}

interface FieldContext {
  directories: ReadonlyMap<string, DirectoryDefinition>;
  report: Report;
}

function resolveSchema(definition: SchemaDefinition, context: FieldContext): Schema {
  const prefix = definition.prefix ?? definition.name;
  return {
    name: definition.name,
    prefix,
    declaredPrefix: definition.prefix,
    properties: resolveFields(definition.fields, `${prefix}:`, '.fields', context),
  };
}

function resolveFields(
  fields: Fields,
  parentXpath: string,
  at: string,
  context: FieldContext,
): ReadonlyMap<string, Property> {
  return new Map(
    Object.entries(fields).map(([name, field]) => {
      const place = `${at}.${name}`;
      if (!isFieldName(name)) context.report(place, 'is no name for a field');
      return [name, resolveField(name, `${parentXpath}${name}`, field, place, context)];
    }),
  );
}

function resolveField(
  name: string,
  xpath: string,
  field: FieldDefinition | FieldType,
  at: string,
  context: FieldContext,
): Property {
  const definition = typeof field === 'string' ? { type: field } : field;
  checkField(definition, (below, fault) => context.report(at + below, fault));
  const { refersTo } = definition;
  if (refersTo?.to === 'directory' && !context.directories.has(refersTo.directory)) {
    context.report(`${at}.refersTo.directory`, `there is no directory ${refersTo.directory}`);
  }
  const { type, many } = scalarOf(definition.type);
  return {
    name,
    xpath,
    type,
    many,
    fields: resolveFields(
      definition.fields ?? {},
      many ? `${xpath}/*/` : `${xpath}/`,
      `${at}.fields`,
      context,
    ),
    refersTo,
    constraints: definition.constraints ?? {},
    default: definition.default,
  };
}

/** Xpaths are taken apart at colons, slashes and list indexes, so names have none of these. */
function isFieldName(name: string): boolean {
  return /^[A-Za-z][\w.-]*$/.test(name);
}
