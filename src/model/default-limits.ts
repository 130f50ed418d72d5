import { parseFieldType } from './contributed/field-faults.ts';
import type { Constraints, FieldDefinition } from './definitions.ts';

/** The limits for properties whose definitions do not set their own (§8). */
export const defaultLimits = {
  /** Characters of a string. */
  maxLength: 100_000,
  /** Items of a list. */
  maxItems: 100_000,
  /** Keys of a map: a list of complex values with a `key` and a `value`. */
  maxKeys: 1_000,
} as const;

const isMap = ({ fields = {} }: FieldDefinition): boolean =>
  Object.keys(fields).sort().join() === 'key,value';

/**
 * The constraints of a field. The default limits apply where the definition sets no limit of its own and the field is
 * not `long`. For a list, `long` lifts the limit of items; for a string, it lifts the limit of characters.
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
