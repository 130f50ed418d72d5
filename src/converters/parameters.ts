import { Invalid } from '../errors.ts';
import type { Converter, ConverterParameters } from './converter.ts';

/** What is wrong with a parameter of a conversion, by its name, which callers may know by another one. */
export class InvalidParameter extends Invalid {
  readonly parameter: string;
  constructor(parameter: string, fault: string) {
    super(fault, { field: parameter });
    this.parameter = parameter;
  }
}

/**
 * The parameters of a converter among those that were given; it ignores the others.
 * @throws InvalidParameter
 */
export function readParameters(
  { parameters = {} }: Converter,
  given: Readonly<Record<string, unknown>>,
): ConverterParameters {
  const read: Record<string, number> = {};
  for (const [name, { least, most }] of Object.entries(parameters)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined || value === null || value === '') continue;
    const number = /^\d{1,9}$/.test(String(value)) ? Number(value) : Number.NaN;
    if (!(number >= least && number <= most))
      throw new InvalidParameter(name, `expected an integer from ${least} to ${most}`);
    read[name] = number;
  }
  return read;
}
