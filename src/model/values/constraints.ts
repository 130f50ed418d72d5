import type { Violation } from '../../errors.ts';
import type { Property } from '../model.ts';
import {
  type ConstraintDescription,
  describeConstraint,
  directoryConstraint,
  requiredConstraint,
} from './describe-constraints.ts';
import { referencedId } from './references.ts';
import { fieldOf, isFields, isUnset, type StoredValue } from './stored.ts';

type Path = Violation['path'];

interface EntryReference {
  readonly directory: string;
  readonly id: string;
  /** Applies if the entry does not exist. */
  readonly violation: Violation;
}

export interface Findings {
  readonly violations: Violation[];
  /** To be checked against the database. */
  readonly references: EntryReference[];
}

const violationOf = (
  { name, parameters }: ConstraintDescription,
  message: string,
  invalidValue: unknown,
  path: Path,
): Violation => ({ constraint: name, parameters, message, invalidValue, path });

const missing = (path: Path): Violation =>
  violationOf(requiredConstraint, 'This field is required.', null, path);

function checkText({ constraints }: Property, value: string, path: Path): Violation[] {
  const { pattern, minLength, maxLength, enum: allowed } = constraints;
  const found: Violation[] = [];
  const add = (name: Parameters<typeof describeConstraint>[0], message: string) =>
    found.push(violationOf(describeConstraint(name, constraints), message, value, path));

  if (pattern !== undefined && !new RegExp(`^(?:${pattern})$`, 'u').test(value)) {
    add('PatternConstraint', `This value does not match the pattern ${pattern}.`);
  }
  const length = [...value].length;
  if (minLength !== undefined && length < minLength) {
    add('LengthConstraint', `This value is shorter than ${minLength} characters.`);
  }
  if (maxLength !== undefined && length > maxLength) {
    add('LengthConstraint', `This value is longer than ${maxLength} characters.`);
  }
  if (allowed && !allowed.includes(value)) {
    add('EnumConstraint', `This value is none of ${allowed.join(', ')}.`);
  }
  return found;
}

function checkNumber({ constraints }: Property, value: number, path: Path): Violation[] {
  const { min = -Infinity, max = Infinity } = constraints;
  if (value >= min && value <= max) return [];
  const message = `This value is not between ${min} and ${max}.`;
  return [violationOf(describeConstraint('NumericIntervalConstraint', constraints), message, value, path)];
}

function checkReference({ refersTo }: Property, value: string, path: Path): EntryReference[] {
  if (refersTo?.to !== 'directory') return [];
  const { directory } = refersTo;
  const id = referencedId(refersTo, value);
  const message = `"${value}" is no entry of the directory ${directory}.`;
  return [{ directory, id, violation: violationOf(directoryConstraint(directory), message, value, path) }];
}

function checkOne(property: Property, value: StoredValue, path: Path, findings: Findings): void {
  if (typeof value === 'string') {
    findings.violations.push(...checkText(property, value, path));
    findings.references.push(...checkReference(property, value, path));
  } else if (typeof value === 'number') {
    findings.violations.push(...checkNumber(property, value, path));
  } else if (property.type === 'complex' && isFields(value)) {
    for (const field of property.fields.values())
      checkAt(field, fieldOf(value, field.name), [...path, { field: field.name }], findings);
  }
}

function checkAt(property: Property, value: StoredValue | undefined, path: Path, findings: Findings): void {
  if (isUnset(value)) {
    if (property.constraints.required) findings.violations.push(missing(path));
  } else if (Array.isArray(value)) {
    const [last, before] = [path.at(-1), path.slice(0, -1)];
    value.forEach((item, index) => {
      checkOne(property, item, last ? [...before, { ...last, index }] : [], findings);
    });
  } else {
    checkOne(property, value, path, findings);
  }
}

/** Checks a value against the constraints of its property, with list items and sub-fields. */
export function checkValue(property: Property, value: StoredValue | undefined, findings: Findings): void {
  checkAt(property, value, [{ field: property.xpath }], findings);
}
