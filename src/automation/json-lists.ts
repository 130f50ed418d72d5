import { z } from 'zod';
import type { ParamKind } from './kinds.ts';

/** Items that one call may bring. */
const most = 1000;

/** The text of JSON, or JSON itself. */
const json = z.preprocess((given) => {
  if (typeof given !== 'string') return given;
  try {
    return JSON.parse(given);
  } catch {
    return undefined;
  }
}, z.unknown());

const listOf = <Item>(
  itemOf: (message: string) => z.ZodType<Item>,
  message: string,
): ParamKind<readonly Item[]> => ({
  name: 'string',
  graphql: 'JSON',
  read: json.pipe(z.array(itemOf(message), message).max(most, `has more than ${most} items`)),
});

/** Objects: a list of JSON, or a text of it. */
export const records = listOf(
  (message) => z.record(z.string(), z.unknown(), message),
  'is no list of objects in JSON',
);

/** Ids: a list of JSON, or a text of it. */
export const ids = listOf(
  (message) => z.union([z.string(), z.number().transform(String)], message),
  'is no list of ids in JSON',
);
