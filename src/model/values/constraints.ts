import type { Violation } from '../../errors.ts';
import { defaultLimits } from '../default-limits.ts';
import type { Constraints } from '../definitions.ts';
import { filledLabel, type Language, languages } from '../labels.ts';
import type { Property } from '../model.ts';
import { hasMoreCharacters } from './characters.ts';
import {
  type ConstraintDescription,
  describeConstraint,
  directoryConstraint,
  requiredConstraint,
} from './describe-constraints.ts';
import { referencedId } from './references.ts';
import { asBlob, fieldOf, isFields, isUnset, keyOf, type StoredValue } from './stored.ts';

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
  /** The parameter that is broken, where the value may satisfy the others of its constraint. */
  readonly limit?: 'Minimum' | 'Maximum';
}

const violationKey = 'label.schema.constraint.violation';

const maxShownCharacters = 1_000;

/** The part of an invalid value that a report shows, so that its size does not depend on that of the value. */
function shownValue(value: unknown): unknown {
  if (Array.isArray(value)) return undefined;
  if (typeof value !== 'string' || value.length <= maxShownCharacters) return value;
  return `${value.slice(0, maxShownCharacters).toWellFormed()}…`;
}

function violationOf(
  { name, parameters }: ConstraintDescription,
  { value, path, language, limit }: Fault,
): Violation {
  const key = [violationKey, name, ...(limit ? [limit] : [])].join('.');
  const invalidValue = shownValue(value);
  const message = filledLabel(key, language, { ...parameters, value: String(invalidValue) });
  return { constraint: name, parameters, message, invalidValue, path };
}

/** Of a value that must be set. */
export const missingViolation = (path: Path, language: Language): Violation =>
  violationOf(requiredConstraint, { value: null, path, language });

type Kind = Parameters<typeof describeConstraint>[0];

function checkText(constraints: Constraints, value: string, fault: Fault): Violation[] {
  const { pattern, minLength, maxLength, enum: allowed } = constraints;
  const found: Violation[] = [];
  const add = (name: Kind, limit?: 'Minimum' | 'Maximum') =>
    found.push(violationOf(describeConstraint(name, constraints), { ...fault, ...(limit && { limit }) }));

  // The limit bounds the text that a pattern runs on.
  const isTooLong = maxLength !== undefined && hasMoreCharacters(value, maxLength);
  if (pattern !== undefined && !isTooLong && !new RegExp(`^(?:${pattern})$`, 'u').test(value))
    add('PatternConstraint');
  if (minLength !== undefined && !hasMoreCharacters(value, minLength - 1)) add('LengthConstraint', 'Minimum');
  if (isTooLong) add('LengthConstraint', 'Maximum');
  if (allowed && !allowed.includes(value)) add('EnumConstraint');
  return found;
}

function checkNumber({ constraints }: Property, value: number, fault: Fault): Violation[] {
  const { min = -Infinity, max = Infinity } = constraints;
  if (value >= min && value <= max) return [];
  const limit = value < min ? 'Minimum' : 'Maximum';
  return [violationOf(describeConstraint('NumericIntervalConstraint', constraints), { ...fault, limit })];
}

const blobTexts: Constraints = { maxLength: defaultLimits.maxLength };

function checkBlob(value: StoredValue, fault: Fault): Violation[] {
  const { name, mimeType, encoding } = asBlob(value) ?? {};
  return Object.entries({ name, 'mime-type': mimeType, encoding }).flatMap(([field, text]) =>
    checkText(blobTexts, text ?? '', { ...fault, value: text, path: [...fault.path, { field }] }),
  );
}

/** Whether a property held a value, or a part of it such as a list item, before a change. */
type IsStored = (property: Property, value: StoredValue) => boolean;

/** A text that no stored text equals, as none has a NUL character. */
const partKey = (value: StoredValue): StoredValue =>
  typeof value === 'object' && value !== null ? `\0${keyOf(value)}` : value;

/** Looks at the stored value when it is first asked: only values that break a constraint need it. */
function storedParts(property: Property, stored: StoredValue | undefined): IsStored {
  if (isUnset(stored)) return () => false;
  let parts: Map<Property, Set<StoredValue>> | undefined;
  return (part, value) => {
    parts ??= partsOf(property, stored);
    return parts.get(part)?.has(partKey(value)) ?? false;
  };
}

function partsOf(top: Property, stored: StoredValue): Map<Property, Set<StoredValue>> {
  const parts = new Map<Property, Set<StoredValue>>();
  const add = (property: Property, value: StoredValue): void => {
    parts.set(property, (parts.get(property) ?? new Set()).add(partKey(value)));
    if (Array.isArray(value)) for (const item of value) add(property, item);
    else if (property.type === 'complex' && isFields(value))
      for (const field of property.fields.values()) add(field, fieldOf(value, field.name) ?? null);
  };
  add(top, stored);
  return parts;
}

interface Checking {
  readonly findings: Findings;
  readonly isStored: IsStored;
}

function checkScalar(
  property: Property,
  value: string | number,
  path: Path,
  { findings, isStored }: Checking,
): void {
  const { constraints, refersTo } = property;
  const fault = { value, path, language: findings.language };
  const found =
    typeof value === 'string' ? checkText(constraints, value, fault) : checkNumber(property, value, fault);
  const isReference = typeof value === 'string' && refersTo?.to === 'directory';
  if ((found.length === 0 && !isReference) || isStored(property, value)) return;
  findings.violations.push(...found);
  if (found.length > 0 || !isReference) return;
  const { directory } = refersTo;
  const id = referencedId(refersTo, value);
  findings.references.push({
    directory,
    id,
    violation: () => violationOf(directoryConstraint(directory), fault),
  });
}

function checkOne(property: Property, value: StoredValue, path: Path, checking: Checking): void {
  const { findings, isStored } = checking;
  const { violations, language } = findings;
  if (typeof value === 'string' || typeof value === 'number') {
    checkScalar(property, value, path, checking);
    return;
  }
  const before = violations.length;
  if (property.type === 'blob' && isFields(value)) {
    violations.push(...checkBlob(value, { value, path, language }));
  } else if (property.type === 'complex' && isFields(value)) {
    for (const field of property.fields.values())
      checkAt(field, fieldOf(value, field.name), [...path, { field: field.name }], checking);
  }
  if (violations.length > before && isStored(property, value)) violations.length = before;
}

function checkList(property: Property, list: StoredValue[], path: Path, checking: Checking): void {
  const { findings, isStored } = checking;
  const { maxItems = Infinity } = property.constraints;
  if (list.length > maxItems) {
    if (isStored(property, list)) return;
    const fault: Fault = { value: list, path, language: findings.language, limit: 'Maximum' };
    findings.violations.push(
      violationOf(describeConstraint('ItemCountConstraint', property.constraints), fault),
    );
    return;
  }
  const [last, before] = [path.at(-1), path.slice(0, -1)];
  list.forEach((item, index) => {
    checkOne(property, item, last ? [...before, { ...last, index }] : [], checking);
  });
}

function checkAt(property: Property, value: StoredValue | undefined, path: Path, checking: Checking): void {
  const { violations, language } = checking.findings;
  if (isUnset(value)) {
    if (property.constraints.required) violations.push(missingViolation(path, language));
  } else if (Array.isArray(value)) {
    checkList(property, value, path, checking);
  } else {
    checkOne(property, value, path, checking);
  }
}

/**
 * Checks a value against the constraints of its property, with list items and sub-fields.
 * @param stored the value before a change; parts of it that the new value repeats are accepted, although the
 * model has changed or their directory entry is gone.
 */
export function checkValue(
  property: Property,
  value: StoredValue | undefined,
  findings: Findings,
  stored?: StoredValue,
): void {
  const checking = { findings, isStored: storedParts(property, stored) };
  checkAt(property, value, [{ field: property.xpath }], checking);
}

/** The messages of the constraints that a value breaks; references are not checked. */
export function faultsOf(property: Property, value: StoredValue | undefined): string[] {
  const findings: Findings = { language: languages[0], violations: [], references: [] };
  checkValue(property, value, findings);
  return findings.violations.map(
    ({ path, message }) => `${path.map(({ field }) => field).join('/')}: ${message}`,
  );
}
