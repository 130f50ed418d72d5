import { parseFieldType } from './contributed/field-faults.ts';
import type { Constraints, FieldDefinition } from './definitions.ts';

/** The limits of properties whose definitions set none (§8). */
export const defaultLimits = {
  /** Characters of a text. */
  maxLength: 100_000,
  /** Items of a list. */
  maxItems: 100_000,
  /** Keys of a map: a list of complex values with a `key` and a `value`. */
  maxKeys: 1_000,
} as const;

const isMap = ({ fields = {} }: FieldDefinition): boolean =>
  Object.keys(fields).sort().join() === 'key,value';

/**
 * The constraints of a field, with the default limits where it sets none and is not `long`. The flag is about
 * the number of items where the field is a list, and about the length of the text otherwise.
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
