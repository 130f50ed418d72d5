import { Invalid } from '../errors.ts';
import type { Converter, ConverterParameters } from './converter.ts';

/**
 * Thrown for a faulty parameter of a conversion. Callers that have another name for the parameter translate
 * `parameter`.
 */
export class InvalidParameter extends Invalid {
  readonly parameter: string;
  constructor(parameter: string, fault: string) {
    super(fault, { field: parameter });
    this.parameter = parameter;
  }
}

/**
 * Reads the parameters of a converter from the values in a request. Other values are ignored.
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
      throw new InvalidParameter(name, `expected an integer from ${min} to ${max}`);
    read[name] = number;
  }
  return read;
}
