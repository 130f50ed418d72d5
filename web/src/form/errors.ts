import { Fault, type Violation } from '../graphql/client.ts';
import { text } from '../texts/text.ts';
import { bareName } from './field-model.ts';

/** Error messages, keyed by the path of the invalid value, such as `dc:title` or `x:list/0/part`. */
export type FieldErrors = Readonly<Record<string, string>>;

/**
 * Returns the message for a violation. This is the server's message, except for pattern violations, whose messages only
 * programmers understand.
 */
function messageOf({ constraint, path, message }: Violation): string {
  if (constraint !== 'PatternConstraint') return message;
  const isEmail = /(^|:)e?mail$/i.test(path.at(-1)?.field ?? '');
  return text(isEmail ? 'violation.email' : 'violation.pattern');
}

/** Returns the messages of the constraint violations in an error. Returns an empty object for any other error. */
export function fieldErrors(error: unknown): FieldErrors {
  if (!(error instanceof Fault)) return {};
  return Object.fromEntries(
    error.violations.map((violation) => [
      violation.path.map(({ field, index }) => (index === undefined ? field : `${field}/${index}`)).join('/'),
      messageOf(violation),
    ]),
  );
}

/** Like `fieldErrors`, but for forms whose field names have no schema prefix. */
export const bareFieldErrors = (error: unknown): FieldErrors =>
  Object.fromEntries(
    Object.entries(fieldErrors(error)).map(([place, message]) => [bareName(place), message]),
  );

/** Returns the first error at or below a path. */
export const errorAt = (errors: FieldErrors, place: string): string | undefined =>
  errors[place] ?? Object.entries(errors).find(([key]) => key.startsWith(`${place}/`))?.[1];
