import type { Constraints, ReferenceTarget } from '../definitions.ts';
import type { Property } from '../model.ts';

/** A constraint in the form that clients receive (§7). */
export interface ConstraintDescription {
  readonly name: string;
  readonly parameters: Record<string, string>;
}

type Parameters = Record<string, string | number | undefined>;

/**
 * The parameters of each kind of constraint. If all of them are undefined, the property does not have the constraint.
 */
const kinds = {
  PatternConstraint: ({ pattern }: Constraints): Parameters => ({ Pattern: pattern }),
  LengthConstraint: ({ minLength, maxLength }: Constraints): Parameters => ({
    Minimum: minLength,
    Maximum: maxLength,
  }),
  ItemCountConstraint: ({ maxItems }: Constraints): Parameters => ({ Maximum: maxItems }),
  EnumConstraint: ({ enum: allowed }: Constraints): Parameters => ({ Values: allowed?.join(', ') }),
  NumericIntervalConstraint: ({ min, max }: Constraints): Parameters => ({ Minimum: min, Maximum: max }),
};

const isSet = (pair: [string, string | number | undefined]): pair is [string, string | number] =>
  pair[1] !== undefined;

export function describeConstraint(
  name: keyof typeof kinds,
  constraints: Constraints,
): ConstraintDescription {
  const parameters = Object.entries(kinds[name](constraints)).filter(isSet);
  return { name, parameters: Object.fromEntries(parameters.map(([key, value]) => [key, String(value)])) };
}

export const directoryConstraint = (directory: string): ConstraintDescription => ({
  name: 'directoryResolver',
  parameters: { directory },
});

/**
 * Constraints that are listed but not enforced: the user or document to which a value refers does not have to exist.
 */
const resolvers = { user: 'userManagerResolver', document: 'documentResolver' } as const;

const resolverOf = (target: ReferenceTarget): ConstraintDescription =>
  target.to === 'directory'
    ? directoryConstraint(target.directory)
    : { name: resolvers[target.to], parameters: {} };

export const requiredConstraint: ConstraintDescription = { name: 'NotNullConstraint', parameters: {} };

/** Returns the constraints of a property and, if it is a list, of its items. */
export function describePropertyConstraints({ constraints, refersTo, many }: Property): {
  constraints: ConstraintDescription[];
  itemConstraints: ConstraintDescription[];
} {
  const names = Object.keys(kinds) as Array<keyof typeof kinds>;
  const described = names
    .map((name) => describeConstraint(name, constraints))
    .filter(({ parameters }) => Object.keys(parameters).length > 0);
  const ofList = described.filter(({ name }) => name === 'ItemCountConstraint');
  const ofValues = described.filter(({ name }) => name !== 'ItemCountConstraint');
  if (refersTo) ofValues.push(resolverOf(refersTo));
  const required = constraints.required ? [requiredConstraint] : [];
  return many
    ? { constraints: [...required, ...ofList], itemConstraints: ofValues }
    : { constraints: [...required, ...ofValues], itemConstraints: [] };
}
