import type { Constraints, FieldDefinition, FieldType, ScalarType } from '../definitions.ts';
import type { ReportFault } from '../model-error.ts';

export function parseFieldType(type: FieldType): { type: ScalarType; many: boolean } {
  // The cast is needed because `slice` returns a plain string, although the part of a FieldType before "[]" is a
  // ScalarType.
  if (type.endsWith('[]')) return { type: type.slice(0, -2) as ScalarType, many: true };
  return { type: type as ScalarType, many: false };
}

/**
 * Reports the errors in a field definition, except those in its sub-fields and in the target of its reference.
 * @returns whether the definition is valid
 */
export function checkField(field: FieldDefinition, reportFault: ReportFault): boolean {
  let isValid = true;
  const report: ReportFault = (at, fault) => {
    isValid = false;
    reportFault(at, fault);
  };
  const { type, many } = parseFieldType(field.type);
  if (type === 'complex' && Object.keys(field.fields ?? {}).length === 0) {
    report('.fields', 'a complex field must have sub-fields');
  }
  if (type !== 'complex' && field.fields)
    report('.fields', `a field of type ${field.type} cannot have sub-fields`);
  if (field.refersTo && type !== 'string') report('.refersTo', 'is only allowed for strings');
  if (field.constraints) checkConstraints(field.constraints, { type, many }, report);
  if (field.long) checkLong(field.constraints ?? {}, { type, many }, report);
  if (field.default !== undefined && (many || !isOfType(field.default, type))) {
    report('.default', `${JSON.stringify(field.default)} is not a ${field.type}`);
  }
  return isValid;
}

const stringConstraints = ['pattern', 'minLength', 'maxLength', 'enum'] as const;
const numberConstraints = ['min', 'max'] as const;

type ParsedType = ReturnType<typeof parseFieldType>;

function checkLong(
  { maxLength, maxItems }: Constraints,
  { type, many }: ParsedType,
  report: ReportFault,
): void {
  if (type !== 'string' && !many) report('.long', 'is only allowed for strings and lists');
  const limit = many ? maxItems : maxLength;
  if (limit !== undefined) report('.long', `contradicts ${many ? 'maxItems' : 'maxLength'}`);
}

function checkConstraints(constraints: Constraints, { type, many }: ParsedType, report: ReportFault): void {
  const at = (key: string): string => `.constraints.${key}`;
  for (const key of stringConstraints) {
    if (constraints[key] !== undefined && type !== 'string') report(at(key), 'is only allowed for strings');
  }
  for (const key of numberConstraints) {
    const isNumber = type === 'long' || type === 'double';
    if (constraints[key] !== undefined && !isNumber) report(at(key), 'is only allowed for numbers');
  }
  if (constraints.maxItems !== undefined && !many) report(at('maxItems'), 'is only allowed for lists');
  const { pattern, minLength = 0, maxLength = Infinity, min = -Infinity, max = Infinity } = constraints;
  if (minLength > maxLength) report(at('minLength'), 'must not be greater than maxLength');
  if (min > max) report(at('min'), 'must not be greater than max');
  if (constraints.enum?.length === 0) report(at('enum'), 'must contain at least one value');
  if (pattern !== undefined && !isPattern(pattern)) {
    report(at('pattern'), `${JSON.stringify(pattern)} is not a valid regular expression`);
  }
}

function isPattern(pattern: string): boolean {
  try {
    // The pattern itself is compiled first, because the group around it would make an invalid pattern such as
    // "a)(b" valid.
    return [new RegExp(pattern, 'u'), new RegExp(`^(?:${pattern})$`, 'u')].length > 0;
  } catch {
    return false;
  }
}

function isOfType(value: string | number | boolean, type: ScalarType): boolean {
  switch (type) {
    case 'string':
    case 'boolean':
      return typeof value === type;
    case 'long':
      return Number.isSafeInteger(value);
    case 'double':
      return Number.isFinite(value);
    case 'date':
      return typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(Date.parse(value));
    case 'binary':
    case 'blob':
    case 'complex':
      return false;
  }
}
