import type { Constraints } from './definitions.ts';
import type { Property } from './model.ts';

/** A constraint in the words of clients: what it is called (§7), and what it holds a value to. */
export interface Described {
  readonly name: string;
  readonly parameters: Record<string, string>;
}

type Parameters = Record<string, string | number | undefined>;

/** By name: what of a property's constraints it shows; nothing of it is set where there is no such constraint. */
const kinds = {
  PatternConstraint: ({ pattern }: Constraints): Parameters => ({ Pattern: pattern }),
  LengthConstraint: ({ minLength, maxLength }: Constraints): Parameters => ({
    Minimum: minLength,
    Maximum: maxLength,
  }),
  EnumConstraint: ({ enum: allowed }: Constraints): Parameters => ({ Values: allowed?.join(', ') }),
  NumericIntervalConstraint: ({ min, max }: Constraints): Parameters => ({ Minimum: min, Maximum: max }),
};

const isSet = (pair: [string, string | number | undefined]): pair is [string, string | number] =>
  pair[1] !== undefined;

/** One kind of constraint of a property, its parameters as text. */
export function describe(name: keyof typeof kinds, constraints: Constraints): Described {
  const parameters = Object.entries(kinds[name](constraints)).filter(isSet);
  return { name, parameters: Object.fromEntries(parameters.map(([key, value]) => [key, String(value)])) };
}

/** That a value is an entry of a directory. */
export const describeReference = (directory: string): Described => ({
  name: 'directoryResolver',
  parameters: { directory },
});

/** That there is a value. */
export const required: Described = { name: 'NotNullConstraint', parameters: {} };

/** What a property holds its value to, and each item of it where it is a list. */
export function describeAll({ constraints, refersTo, many }: Property): {
  constraints: Described[];
  itemConstraints: Described[];
} {
  const names = Object.keys(kinds) as Array<keyof typeof kinds>;
  const each = names
    .map((name) => describe(name, constraints))
    .filter(({ parameters }) => Object.keys(parameters).length > 0);
  if (refersTo?.to === 'directory') each.push(describeReference(refersTo.directory));
  const whole = constraints.required ? [required] : [];
  return many
    ? { constraints: whole, itemConstraints: each }
    : { constraints: [...whole, ...each], itemConstraints: [] };
}
