/** A part of the description of the interface: JSON, and often JSON Schema (2020-12). */
export type Json = Readonly<Record<string, unknown>>;

/** Points to what many parts share. */
export const ref = (kind: 'schemas' | 'responses' | 'parameters', name: string): Json => ({
  $ref: `#/components/${kind}/${name}`,
});

/** The same, or null. */
export function orNull(json: Json): Json {
  if (Object.keys(json).length === 0) return json;
  return typeof json.type === 'string'
    ? { ...json, type: [json.type, 'null'] }
    : anyOf([json, { type: 'null' }]);
}

/** Whatever fits one of some schemas, each of which counts once, and not at all beside the same or null. */
export function anyOf(schemas: readonly Json[]): Json {
  const each = schemas.flatMap((json) => (Array.isArray(json.anyOf) ? (json.anyOf as Json[]) : [json]));
  const byText = new Map(each.map((json) => [JSON.stringify(json), json]));
  const left = [...byText.values()].filter(
    (json) => typeof json.type !== 'string' || !byText.has(JSON.stringify(orNull(json))),
  );
  const [only = {}, ...others] = left;
  return others.length === 0 ? only : { anyOf: left };
}
