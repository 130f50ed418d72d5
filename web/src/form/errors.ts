import { Fault } from '../graphql/client.ts';
import { bareName } from './field-model.ts';

/** Error messages by the path of the value, such as `dc:title` or `x:list/0/part`. */
export type FieldErrors = Readonly<Record<string, string>>;

/** The messages of the constraint violations in an error; empty for any other error. */
export function fieldErrors(error: unknown): FieldErrors {
  if (!(error instanceof Fault)) return {};
  return Object.fromEntries(
    error.violations.map(({ path, message }) => [
      path.map(({ field, index }) => (index === undefined ? field : `${field}/${index}`)).join('/'),
      message,
    ]),
  );
}

/** Constraint violations for forms whose fields have names without a schema prefix. */
export const bareFieldErrors = (error: unknown): FieldErrors =>
  Object.fromEntries(
    Object.entries(fieldErrors(error)).map(([place, message]) => [bareName(place), message]),
  );

/** The first error at a path or below it. */
export const errorAt = (errors: FieldErrors, place: string): string | undefined =>
  errors[place] ?? Object.entries(errors).find(([key]) => key.startsWith(`${place}/`))?.[1];
