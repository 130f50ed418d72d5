import { Invalid } from '../errors.ts';
import type { Converter, ConverterParameters } from './converter.ts';

/**
 * Thrown if a parameter of a conversion is invalid. Callers whose parameter has a different name replace `parameter`.
 */
export class InvalidParameter extends Invalid {
  readonly parameter: string;
  constructor(parameter: string, fault: string) {
    super(fault, { field: parameter });
    this.parameter = parameter;
  }
}

/**
 * Reads the parameters of a converter from the values in a request. Values that are not parameters are ignored.
 * @throws InvalidParameter if a value is not an integer within the limits.
 */
export function readParameters(
  { parameters = {} }: Converter,
  values: Readonly<Record<string, unknown>>,
): ConverterParameters {
  const read: Record<string, number> = {};
  for (const [name, { min, max }] of Object.entries(parameters)) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined || value === null || value === '') continue;
    const number = /^\d{1,9}$/.test(String(value)) ? Number(value) : Number.NaN;
    if (!(number >= min && number <= max))
      throw new InvalidParameter(name, `must be an integer between ${min} and ${max}`);
    read[name] = number;
  }
  return read;
}
