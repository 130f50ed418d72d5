import { NotFound } from '../errors.ts';
import type { Principal } from '../security/principal.ts';
import { isAvailableTo, type Operation } from './operation.ts';
import * as listed from './operations/index.ts';

/** Does not compile if a listed file exports anything other than operations. */
const byName: Readonly<Record<string, Operation>> = listed;

/** §4.7: every operation, sorted by id. */
export const operations: readonly Operation[] = Object.values(byName).sort((one, other) =>
  one.id < other.id ? -1 : 1,
);

/** @param name an id or an alias */
export const operationByName = (name: string): Operation | undefined =>
  operations.find(({ id, aliases }) => id === name || aliases?.includes(name));

/** @throws NotFound when no operation of that id or alias is there for the user. */
export function availableOperation(name: string, user: Principal): Operation {
  const found = operationByName(name);
  if (!found || !isAvailableTo(found, user)) throw new NotFound(`there is no operation ${name}`);
  return found;
}
