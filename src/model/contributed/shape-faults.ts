import type { z } from 'zod';
import type { Fault } from '../model-error.ts';

type Path = readonly PropertyKey[];

/** Converts issues of zod to faults; of a union, only those of the variant that was probably meant. */
export function shapeFaults(
  file: string,
  issues: readonly z.core.$ZodIssue[],
  parent: Path = [],
): readonly Fault[] {
  return issues.flatMap((issue): readonly Fault[] => {
    const path = [...parent, ...issue.path];
    if (issue.code === 'invalid_union' && issue.errors.length > 0)
      return shapeFaults(file, likelyVariant(issue.errors), path);
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({
        file,
        location: locationOf([...path, key]),
        fault: 'is not known here',
      }));
    return [{ file, location: locationOf(path), fault: issue.message }];
  });
}

/** The variant for which the value is of the right type, or else the first one. */
function likelyVariant(variants: readonly z.core.$ZodIssue[][]): readonly z.core.$ZodIssue[] {
  const isWrongType = ({ code, path }: z.core.$ZodIssue): boolean =>
    path.length === 0 && (code === 'invalid_type' || code === 'invalid_value');
  return variants.find((issues) => !issues.some(isWrongType)) ?? variants[0] ?? [];
}

function locationOf(path: Path): string {
  return path.reduce<string>((location, key) => {
    if (typeof key === 'number') return `${location}[${key}]`;
    return location === '' ? String(key) : `${location}.${String(key)}`;
  }, '');
}
