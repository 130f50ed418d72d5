import { Invalid } from '../errors.ts';

/**
 * Returns a JSON object; an empty object if the JSON is null.
 * @throws Invalid if the JSON is not an object
 */
export function asObject(json: unknown, name = 'properties'): Record<string, unknown> {
  if (json === null || json === undefined) return {};
  if (typeof json !== 'object' || Array.isArray(json)) throw new Invalid(`${name} must be an object.`);
  return json as Record<string, unknown>;
}
