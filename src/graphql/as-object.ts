import { Invalid } from '../errors.ts';

/** Returns JSON as an object, an empty one for null. @throws Invalid when the JSON is not an object. */
export function asObject(json: unknown, name = 'properties'): Record<string, unknown> {
  if (json === null || json === undefined) return {};
  if (typeof json !== 'object' || Array.isArray(json)) throw new Invalid(`${name} must be an object.`);
  return json as Record<string, unknown>;
}
