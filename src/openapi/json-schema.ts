/** A part of the description: JSON, usually a JSON Schema (2020-12). */
export type Json = Readonly<Record<string, unknown>>;

export const textSchema: Json = { type: 'string' };

export function objectSchema(
  properties: Readonly<Record<string, Json>>,
  { optional = [] }: { optional?: readonly string[] } = {},
): Json {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

export const ref = (kind: 'schemas' | 'responses' | 'parameters' | 'headers', name: string): Json => ({
  $ref: `#/components/${kind}/${name}`,
});

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export function orNull(json: Json): Json {
  if (Object.keys(json).length === 0) return json;
  return typeof json.type === 'string'
    ? { ...json, type: [json.type, 'null'] }
    : anyOfSchemas([json, { type: 'null' }]);
}

/**
 * Returns the union of schemas, without duplicates. A schema is omitted if the union also contains it in a nullable
 * form.
 */
export function anyOfSchemas(schemas: readonly Json[]): Json {
  const parts = schemas.flatMap((json) => (Array.isArray(json.anyOf) ? (json.anyOf as Json[]) : [json]));
  const byText = new Map(parts.map((json) => [JSON.stringify(json), json]));
  const distinct = [...byText.values()].filter(
    (json) => typeof json.type !== 'string' || !byText.has(JSON.stringify(orNull(json))),
  );
  const [only = {}, ...others] = distinct;
  return others.length === 0 ? only : { anyOf: distinct };
}
