import { maxNamedFaults, type Violation } from '../../errors.ts';
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

/**
 * The location of a value, linked to that of the enclosing value. The path is built only if the value violates a
 * constraint.
 */
interface Place {
  readonly parent: Place | undefined;
  readonly field: string;
  /** The index of the item, if the value is in a list. */
  readonly index?: number | undefined;
}

/**
 * Returns the path from the top-level property to a location.
 * @param index the index of a list item, if the location is that of the list
 */
function pathOf({ parent, field, index: own }: Place, index = own): Path {
  const above = parent ? pathOf(parent) : [];
  return [...above, index === undefined ? { field } : { field, index }];
}

/**
 * The location of a single value: a `Place` or, if the value is a list item, the place of the list and the index of the
 * item.
 */
interface At {
  readonly place: Place;
  readonly index?: number | undefined;
}

/** A value that refers to a directory entry. A later database query checks whether the entry exists. */
export interface EntryReference extends At {
  readonly directory: string;
  readonly id: string;
  readonly value: StoredValue;
}

/**
 * Collects the constraint violations in a set of properties. All of them are counted, but only the first 100 are
 * described.
 */
export class Findings {
  readonly violations: Violation[] = [];
  readonly references: EntryReference[] = [];
  readonly #language: Language;
  #count = 0;
  /** @param language the language of the messages. */
  constructor(language: Language) {
    this.#language = language;
  }
  get count(): number {
    return this.#count;
  }
  /**
   * Adds a violation.
   * @param constraintOf called only if the violation is one of the first 100
   */
  add(
    constraintOf: () => ConstraintDescription,
    { place, index }: At,
    fault: Omit<Fault, 'path' | 'language'>,
  ) {
    this.#count += 1;
    if (this.violations.length === maxNamedFaults) return;
    const where = { path: pathOf(place, index), language: this.#language };
    this.violations.push(violationOf(constraintOf(), { ...fault, ...where }));
  }
  /** Adds a violation for a reference to an entry that does not exist. */
  addMissing({ directory, value, ...at }: EntryReference): void {
    this.add(() => directoryConstraint(directory), at, { value });
  }
  /** Removes all violations after the first `count`. */
  cutTo(count: number): void {
    this.#count = count;
    this.violations.length = Math.min(count, this.violations.length);
  }
}

interface Fault {
  readonly value: unknown;
  readonly path: Path;
  readonly language: Language;
  /** The parameter that is violated, if the constraint has several. */
  readonly limit?: 'Minimum' | 'Maximum';
}

const violationKey = 'label.schema.constraint.violation';

const maxShownCharacters = 1_000;

/**
 * Returns the part of an invalid value that is included in a violation. Its length is limited, so that large values do
 * not cause large responses.
 */
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

/** Returns the violation for a required property that has no value. */
export const missingViolation = (path: Path, language: Language): Violation =>
  violationOf(requiredConstraint, { value: null, path, language });

type Kind = Parameters<typeof describeConstraint>[0];

const patterns = new WeakMap<Constraints, RegExp>();

/** Returns the regular expression for a property's pattern, which is compiled when it is first used. */
function patternOf(constraints: Constraints, pattern: string): RegExp {
  const compiled = patterns.get(constraints) ?? new RegExp(`^(?:${pattern})$`, 'u');
  patterns.set(constraints, compiled);
  return compiled;
}

/** Receives the constraints that a value violates. */
type AddFault = (kind: Kind, limit?: 'Minimum' | 'Maximum') => void;

function checkText(constraints: Constraints, value: string, add: AddFault): void {
  const { pattern, minLength, maxLength, enum: allowed } = constraints;
  // A string that is too long is not matched against the pattern, because matching could take very long.
  const isTooLong = maxLength !== undefined && hasMoreCharacters(value, maxLength);
  if (pattern !== undefined && !isTooLong && !patternOf(constraints, pattern).test(value))
    add('PatternConstraint');
  if (minLength !== undefined && !hasMoreCharacters(value, minLength - 1)) add('LengthConstraint', 'Minimum');
  if (isTooLong) add('LengthConstraint', 'Maximum');
  if (allowed && !allowed.includes(value)) add('EnumConstraint');
}

function checkNumber({ min = -Infinity, max = Infinity }: Constraints, value: number, add: AddFault): void {
  if (value < min) add('NumericIntervalConstraint', 'Minimum');
  else if (value > max) add('NumericIntervalConstraint', 'Maximum');
}

const blobTexts: Constraints = { maxLength: defaultLimits.maxLength };

function checkBlob(value: StoredValue, { place, index }: At, findings: Findings): void {
  const { name, mimeType, encoding } = asBlob(value) ?? {};
  const parent = { ...place, index: index ?? place.index };
  for (const [field, text] of Object.entries({ name, 'mime-type': mimeType, encoding }))
    checkText(blobTexts, text ?? '', (kind, limit) =>
      findings.add(
        () => describeConstraint(kind, blobTexts),
        { place: { parent, field } },
        {
          value: text,
          ...(limit && { limit }),
        },
      ),
    );
}

/**
 * Returns whether a value, or a part of it such as a list item, is already stored in the property that is being
 * changed.
 */
type IsStored = (property: Property, value: StoredValue) => boolean;

/**
 * Returns a key for comparing values or parts of them. The NUL prefix distinguishes the keys of objects from stored
 * strings, which cannot contain NUL.
 */
const partKey = (value: StoredValue): StoredValue =>
  typeof value === 'object' && value !== null ? `\0${keyOf(value)}` : value;

/**
 * Returns a function that determines whether the stored value contains a part. The stored value is analyzed on the
 * first call, because the comparison is needed only for invalid values.
 */
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
  at: At,
  { findings, isStored }: Checking,
): void {
  const { constraints, refersTo } = property;
  const before = findings.count;
  const add: AddFault = (kind, limit) =>
    findings.add(() => describeConstraint(kind, constraints), at, { value, ...(limit && { limit }) });
  if (typeof value === 'string') checkText(constraints, value, add);
  else checkNumber(constraints, value, add);
  const isViolated = findings.count > before;
  const isReference = typeof value === 'string' && refersTo?.to === 'directory';
  if (!isViolated && !isReference) return;
  if (isStored(property, value)) findings.cutTo(before);
  else if (!isViolated && isReference) {
    const { directory } = refersTo;
    const { place, index } = at;
    findings.references.push({ directory, id: referencedId(refersTo, value), value, place, index });
  }
}

function checkOne(property: Property, value: StoredValue, at: At, checking: Checking): void {
  const { findings, isStored } = checking;
  if (typeof value === 'string' || typeof value === 'number') {
    checkScalar(property, value, at, checking);
    return;
  }
  const before = findings.count;
  if (property.type === 'blob' && isFields(value)) checkBlob(value, at, findings);
  else if (property.type === 'complex' && isFields(value)) {
    const parent = { ...at.place, index: at.index ?? at.place.index };
    for (const field of property.fields.values())
      checkAt(field, fieldOf(value, field.name), { parent, field: field.name }, checking);
  }
  if (findings.count > before && isStored(property, value)) findings.cutTo(before);
}

function checkList(property: Property, list: StoredValue[], place: Place, checking: Checking): void {
  const { findings, isStored } = checking;
  const { constraints } = property;
  const { maxItems = Infinity } = constraints;
  if (list.length <= maxItems) {
    for (const [index, item] of list.entries()) checkOne(property, item, { place, index }, checking);
  } else if (!isStored(property, list)) {
    const fault = { value: list, limit: 'Maximum' } as const;
    findings.add(() => describeConstraint('ItemCountConstraint', constraints), { place }, fault);
  }
}

function checkAt(property: Property, value: StoredValue | undefined, place: Place, checking: Checking): void {
  if (isUnset(value)) {
    if (property.constraints.required)
      checking.findings.add(() => requiredConstraint, { place }, { value: null });
  } else if (Array.isArray(value)) checkList(property, value, place, checking);
  else checkOne(property, value, { place }, checking);
}

/**
 * Checks a value, including its list items and sub-fields, against the constraints of its property.
 * @param stored the value before the change; parts that the new value repeats are accepted even if they violate the
 * current model, or if their directory entry has been deleted
 */
export function checkValue(
  property: Property,
  value: StoredValue | undefined,
  findings: Findings,
  stored?: StoredValue,
): void {
  const checking = { findings, isStored: storedParts(property, stored) };
  checkAt(property, value, { parent: undefined, field: property.xpath }, checking);
}

/** Returns messages about the constraints that a value violates. References are not checked. */
export function faultsOf(property: Property, value: StoredValue | undefined): string[] {
  const findings = new Findings(languages[0]);
  checkValue(property, value, findings);
  return findings.violations.map(
    ({ path, message }) => `${path.map(({ field }) => field).join('/')}: ${message}`,
  );
}
