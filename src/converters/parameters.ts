import { Invalid } from '../errors.ts';
import type { Converter, ConverterParameters } from './converter.ts';

/** The parameters of a converter among those that were given; it ignores the others. @throws Invalid */
export function readParameters(
  { name: converter, parameters = {} }: Converter,
  given: Readonly<Record<string, unknown>>,
): ConverterParameters {
  const read: Record<string, number> = {};
  for (const [name, { least, most }] of Object.entries(parameters)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined || value === null || value === '') continue;
    const number = /^\d{1,9}$/.test(String(value)) ? Number(value) : Number.NaN;
    if (!(number >= least && number <= most))
      throw new Invalid(`${name}: the converter ${converter} takes a whole number from ${least} to ${most}`);
    read[name] = number;
  }
  return read;
}
