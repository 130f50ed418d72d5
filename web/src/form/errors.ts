import { Fault } from '../graphql/client.ts';
import { bareName } from './field-model.ts';

/** What is wrong, by the place of the value: `dc:title`, `x:list/0/part`. */
export type FieldErrors = Readonly<Record<string, string>>;

/** The violations of constraints in a refusal; empty when it is another one. */
export function fieldErrors(error: unknown): FieldErrors {
  if (!(error instanceof Fault)) return {};
  return Object.fromEntries(
    error.violations.map(({ path, message }) => [
      path.map(({ field, index }) => (index === undefined ? field : `${field}/${index}`)).join('/'),
      message,
    ]),
  );
}

/** The same in a form whose fields have names without their prefix. */
export const bareFieldErrors = (error: unknown): FieldErrors =>
  Object.fromEntries(
    Object.entries(fieldErrors(error)).map(([place, message]) => [bareName(place), message]),
  );

/** The first error at a place or below it. */
export const errorAt = (errors: FieldErrors, place: string): string | undefined =>
  errors[place] ?? Object.entries(errors).find(([key]) => key.startsWith(`${place}/`))?.[1];
