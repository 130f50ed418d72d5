import { checkField, parseFieldType } from '../contributed/field-faults.ts';
import { effectiveConstraints } from '../default-limits.ts';
import type {
  DirectoryDefinition,
  FieldDefinition,
  Fields,
  FieldType,
  SchemaDefinition,
} from '../definitions.ts';
import type { Property, Schema } from '../model.ts';
import { type ReportFault, reportBelow } from '../model-error.ts';
import { faultsOf } from '../values/constraints.ts';

interface Context {
  directories: ReadonlyMap<string, DirectoryDefinition>;
  report: (definition: SchemaDefinition) => ReportFault;
}

interface ResolvedSchemas {
  schemas: ReadonlyMap<string, Schema>;
  /** All top-level properties by xpath. */
  properties: ReadonlyMap<string, Property>;
}

/** Resolves schemas, and reports invalid fields and prefixes. */
export function resolveSchemas(
  definitions: ReadonlyMap<string, SchemaDefinition>,
  { directories, report }: Context,
): ResolvedSchemas {
  const schemas = new Map<string, Schema>();
  const properties = new Map<string, Property>();
  const owners = new Map<string, string>();

  for (const [name, definition] of definitions) {
    const reportHere = report(definition);
    checkPrefix(definition, definitions, reportHere);
    const schema = resolveSchema(definition, { directories, report: reportHere });
    schemas.set(name, schema);
    // Schemas can share a prefix as long as all xpaths are unique.
    for (const property of schema.properties.values()) {
      const owner = owners.get(property.xpath);
      if (owner !== undefined) {
        reportHere(
          `.fields.${property.name}`,
          `${property.xpath} is already a property of the schema ${owner}`,
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
  report: ReportFault,
): void {
  if (prefix === undefined || prefix === name) return;
  if (!isFieldName(prefix)) report('.prefix', `${JSON.stringify(prefix)} is not a valid prefix`);
  if (definitions.has(prefix)) report('.prefix', `${prefix} is the name of another schema`);
}

interface FieldContext {
  directories: ReadonlyMap<string, DirectoryDefinition>;
  report: ReportFault;
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
      const fieldAt = `${at}.${name}`;
      if (!isFieldName(name)) context.report(fieldAt, 'is not a valid field name');
      return [name, resolveField(name, `${parentXpath}${name}`, field, fieldAt, context)];
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
  const isValid = checkField(definition, reportBelow(context.report, at));
  const { refersTo } = definition;
  if (refersTo?.to === 'directory' && !context.directories.has(refersTo.directory)) {
    context.report(`${at}.refersTo.directory`, `there is no directory ${refersTo.directory}`);
  }
  const { type, many } = parseFieldType(definition.type);
  const property = {
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
    constraints: effectiveConstraints(definition),
    default: definition.default,
  };
  if (isValid && definition.default !== undefined)
    for (const fault of faultsOf(property, definition.default)) context.report(`${at}.default`, fault);
  return property;
}

/** Returns whether a name can be part of an xpath. Xpaths are split at colons, slashes and brackets. */
const isFieldName = (name: string): boolean => /^[A-Za-z][\w.-]*$/.test(name);
