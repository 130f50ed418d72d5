import type { z } from 'zod';
import type { Fault } from './model-error.ts';

type Path = readonly PropertyKey[];

/** What zod found, a fault for each place: unions are followed into the form that was meant. */
export function shapeFaults(
  file: string,
  issues: readonly z.core.$ZodIssue[],
  above: Path = [],
): readonly Fault[] {
  return issues.flatMap((issue): readonly Fault[] => {
    const path = [...above, ...issue.path];
    switch (issue.code) {
      case 'invalid_union':
        return issue.errors.length > 0
          ? shapeFaults(file, meant(issue.errors), path)
          : [{ file, place: placeOf(path), fault: issue.message }];
      case 'unrecognized_keys':
        return issue.keys.map((key) => ({
          file,
          place: placeOf([...path, key]),
          fault: 'is not known here',
        }));
      default:
        return [{ file, place: placeOf(path), fault: issue.message }];
    }
  });
}

/** The issues of the form with the right kind of value at its top, or else those of the first form. */
function meant(forms: readonly z.core.$ZodIssue[][]): readonly z.core.$ZodIssue[] {
  const fitting = forms.find((issues) =>
    issues.every(({ code, path }) => path.length > 0 || !isOfWrongKind(code)),
  );
  return fitting ?? forms[0] ?? [];
}

function isOfWrongKind(code: z.core.$ZodIssue['code']): boolean {
  return code === 'invalid_type' || code === 'invalid_value';
}

function placeOf(path: Path): string {
  return path.reduce<string>((place, key) => {
    if (typeof key === 'number') return `${place}[${key}]`;
    return place === '' ? String(key) : `${place}.${String(key)}`;
  }, '');
}
