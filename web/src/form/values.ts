type Values = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Removes list items that the user has added but left empty. */
export const withoutGaps = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, filled(value)]));

function filled(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(filled);
  return isObject(value) ? withoutGaps(value) : value;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Returns whether two values look the same in a form, as null, an empty string and an empty list do. */
export const isSame = (one: unknown, other: unknown): boolean =>
  (isEmpty(one) && isEmpty(other)) || JSON.stringify(one) === JSON.stringify(other);

/** Returns the values that differ from the stored ones. */
export const differing = (values: Values, stored: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => !isSame(value, stored[name])));
