import type { Violation } from '../../errors.ts';
import { filledLabel, type Language, languages } from '../labels.ts';
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
  readonly violation: () => Violation;
}

export interface Findings {
  /** Of the messages. */
  readonly language: Language;
  readonly violations: Violation[];
  /** To be checked against the database. */
  readonly references: EntryReference[];
}

interface Fault {
  readonly value: unknown;
  readonly path: Path;
  readonly language: Language;
  /** The parameter that is broken, where the others of its constraint may be kept. */
  readonly limit?: 'Minimum' | 'Maximum';
}

const violationKey = 'label.schema.constraint.violation';

function violationOf(
  { name, parameters }: ConstraintDescription,
  { value, path, language, limit }: Fault,
): Violation {
  const key = [violationKey, name, ...(limit ? [limit] : [])].join('.');
  const message = filledLabel(key, language, { ...parameters, value: String(value) });
  return { constraint: name, parameters, message, invalidValue: value, path };
}

/** Of a value that must be set. */
export const missingViolation = (path: Path, language: Language): Violation =>
  violationOf(requiredConstraint, { value: null, path, language });

type Kind = Parameters<typeof describeConstraint>[0];

function checkText({ constraints }: Property, value: string, fault: Fault): Violation[] {
  const { pattern, minLength, maxLength, enum: allowed } = constraints;
  const found: Violation[] = [];
  const add = (name: Kind, limit?: 'Minimum' | 'Maximum') =>
    found.push(violationOf(describeConstraint(name, constraints), { ...fault, ...(limit && { limit }) }));

  if (pattern !== undefined && !new RegExp(`^(?:${pattern})$`, 'u').test(value)) add('PatternConstraint');
  if (minLength !== undefined && [...value].length < minLength) add('LengthConstraint', 'Minimum');
  if (maxLength !== undefined && [...value].length > maxLength) add('LengthConstraint', 'Maximum');
  if (allowed && !allowed.includes(value)) add('EnumConstraint');
  return found;
}

function checkNumber({ constraints }: Property, value: number, fault: Fault): Violation[] {
  const { min = -Infinity, max = Infinity } = constraints;
  if (value >= min && value <= max) return [];
  const limit = value < min ? 'Minimum' : 'Maximum';
  return [violationOf(describeConstraint('NumericIntervalConstraint', constraints), { ...fault, limit })];
}

function checkReference({ refersTo }: Property, value: string, fault: Fault): EntryReference[] {
  if (refersTo?.to !== 'directory') return [];
  const { directory } = refersTo;
  const id = referencedId(refersTo, value);
  return [{ directory, id, violation: () => violationOf(directoryConstraint(directory), fault) }];
}

function checkOne(property: Property, value: StoredValue, path: Path, findings: Findings): void {
  const fault = { value, path, language: findings.language };
  if (typeof value === 'string') {
    findings.violations.push(...checkText(property, value, fault));
    findings.references.push(...checkReference(property, value, fault));
  } else if (typeof value === 'number') {
    findings.violations.push(...checkNumber(property, value, fault));
  } else if (property.type === 'complex' && isFields(value)) {
    for (const field of property.fields.values())
      checkAt(field, fieldOf(value, field.name), [...path, { field: field.name }], findings);
  }
}

function checkAt(property: Property, value: StoredValue | undefined, path: Path, findings: Findings): void {
  if (isUnset(value)) {
    if (property.constraints.required) findings.violations.push(missingViolation(path, findings.language));
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

/** The messages of the constraints that a value breaks; references are not checked. */
export function faultsOf(property: Property, value: StoredValue | undefined): string[] {
  const findings: Findings = { language: languages[0], violations: [], references: [] };
  checkValue(property, value, findings);
  return findings.violations.map(
    ({ path, message }) => `${path.map(({ field }) => field).join('/')}: ${message}`,
  );
}
