import { parseFieldType } from './contributed/field-faults.ts';
import type { Constraints, FieldDefinition } from './definitions.ts';

/** The default limits (§8), which apply to properties whose definitions do not set a limit. */
export const defaultLimits = {
  /** The maximum number of characters in a string. */
  maxLength: 100_000,
  /** The maximum number of items in a list. */
  maxItems: 100_000,
  /** The maximum number of keys in a map: a list of complex values with a `key` and a `value`. */
  maxKeys: 1_000,
} as const;

const isMap = ({ fields = {} }: FieldDefinition): boolean =>
  Object.keys(fields).sort().join() === 'key,value';

/**
 * Returns the constraints of a field. The default limits apply unless the definition sets a limit or the field is
 * `long`. For a list, `long` removes the limit on items; for a string, it removes the limit on characters.
 */
export function effectiveConstraints(field: FieldDefinition): Constraints {
  const { type, many } = parseFieldType(field.type);
  const { maxLength, maxKeys, maxItems } = defaultLimits;
  const isLongText = field.long && !many;
  const isLongList = field.long && many;
  return {
    ...(type === 'string' && !isLongText && { maxLength }),
    ...(many && !isLongList && { maxItems: isMap(field) ? maxKeys : maxItems }),
    ...field.constraints,
  };
}
