import { NotFound, NotServed } from '../errors.ts';
import type { Model } from '../model/model.ts';
import { unknownName } from '../near-names.ts';
import type { Scope, Using } from '../scope.ts';
import { requireAdministrator } from '../security/principal.ts';
import { chainByName, chainsOf } from './chains/chains.ts';
import { isAvailableTo, type Operation } from './operation.ts';
import * as listed from './operations/index.ts';

/** The type makes compilation fail if a listed file exports anything other than operations. */
const byName: Readonly<Record<string, Operation>> = listed;

/** §4.7: every operation, sorted by id. */
export const operations: readonly Operation[] = Object.values(byName).sort((one, other) =>
  one.id < other.id ? -1 : 1,
);

/**
 * Operations by id and alias. The map is built at the first look-up, since tests can add operations before.
 */
let byAnyName: ReadonlyMap<string, Operation> | undefined;

/** @param name an id or an alias */
export function operationByName(name: string): Operation | undefined {
  byAnyName ??= new Map(
    operations.flatMap((each) => [each.id, ...(each.aliases ?? [])].map((known) => [known, each] as const)),
  );
  return byAnyName.get(name);
}

/**
 * Whether a name belongs to the reference implementation's operations that run scripts of callers or
 * administrators.
 */
export const isScript = (name: string): boolean => name.startsWith('javascript.') || name.endsWith('Script');

/**
 * Whether the next step of a chain works on the same input, because the operation has neither input nor
 * output.
 */
export const leavesInput = ({ takes, gives }: Operation): boolean =>
  gives === 'void' && takes.every((kind) => kind === 'void');

/** @throws Forbidden for an operation that only administrators can call. */
export function requireAvailable(operation: Operation, { user }: Pick<Scope, 'user'>): void {
  if (!isAvailableTo(operation, user)) requireAdministrator(user, `call ${operation.id}`);
}

/** All ids and aliases by which the user can call an operation or a chain. */
const callableNames = (user: Scope['user'], model: Model): string[] =>
  [...operations, ...chainsOf(model).values()]
    .filter((each) => isAvailableTo(each, user))
    .flatMap(({ id, aliases = [] }) => [id, ...aliases]);

/** Returns an operation or a chain, even if the caller may not use it. */
export const operationOrChain = (model: Model, name: string): Operation | undefined =>
  operationByName(name) ?? chainByName(model, name);

/**
 * Returns an operation or chain that the caller may use.
 * @throws NotFound for an unknown name, Forbidden if only administrators can call it, NotServed for scripts
 */
export function availableOperation(
  name: string,
  { user, services: { model } }: Pick<Scope, 'user'> & Using<'model'>,
): Operation {
  const found = operationOrChain(model, name);
  if (!found && isScript(name)) throw new NotServed(`${name.slice(0, 200)}: scripts are not supported.`);
  if (!found) throw new NotFound(unknownName('operation', name, callableNames(user, model)));
  requireAvailable(found, { user });
  return found;
}
