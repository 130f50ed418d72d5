import { Invalid } from '../errors.ts';

/** @throws Invalid when the JSON is no object. */
export function asObject(json: unknown, name = 'properties'): Record<string, unknown> {
  if (json === null || json === undefined) return {};
  if (typeof json !== 'object' || Array.isArray(json)) throw new Invalid(`${name}: expected an object`);
  return json as Record<string, unknown>;
}
