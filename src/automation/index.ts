import { NotFound, NotServed } from '../errors.ts';
import { requireNewNames } from '../extensions/loaded.ts';
import type { Model } from '../model/model.ts';
import { unknownName } from '../near-names.ts';
import type { Scope, Using } from '../scope.ts';
import { requireAdministrator } from '../security/principal.ts';
import { chainByName, chainsOf } from './chains/chains.ts';
import { contributedOperations } from './contributed.ts';
import { isAvailableTo, type Operation } from './operation.ts';
import * as listed from './operations/index.ts';

/** This type makes compilation fail if a listed file exports anything other than operations. */
const byName: Readonly<Record<string, Operation>> = listed;

const own: readonly Operation[] = Object.values(byName);
const contributed = contributedOperations();
requireNewNames(
  'operations',
  own.flatMap(({ id, aliases = [] }) => [id, ...aliases]),
  contributed.map(({ id }) => id),
);

/** All operations, including those of extensions, sorted by id (§4.7). */
export const operations: readonly Operation[] = [...own, ...contributed].sort((one, other) =>
  one.id < other.id ? -1 : 1,
);

/**
 * The operations by id and alias. The map is created at the first lookup, because tests can add operations before
 * that.
 */
let byAnyName: ReadonlyMap<string, Operation> | undefined;

/** @param name an id or an alias */
export function operationByName(name: string): Operation | undefined {
  byAnyName ??= new Map(
    operations.flatMap((each) => [each.id, ...(each.aliases ?? [])].map((known) => [known, each] as const)),
  );
  return byAnyName.get(name);
}

/** Returns whether a name belongs to an operation of the reference implementation that runs a script. */
export const isScript = (name: string): boolean => name.startsWith('javascript.') || name.endsWith('Script');

/**
 * Returns whether an operation has neither input nor output, so that the next step of a chain gets the same input.
 */
export const leavesInput = ({ takes, gives }: Operation): boolean =>
  gives === 'void' && takes.every((kind) => kind === 'void');

/** @throws Forbidden if only administrators can call the operation */
export function requireAvailable(operation: Operation, { user }: Pick<Scope, 'user'>): void {
  if (!isAvailableTo(operation, user)) requireAdministrator(user, `call ${operation.id}`);
}

/** Returns all ids and aliases of the operations and chains that the user can call. */
const callableNames = (user: Scope['user'], model: Model): string[] =>
  [...operations, ...chainsOf(model).values()]
    .filter((each) => isAvailableTo(each, user))
    .flatMap(({ id, aliases = [] }) => [id, ...aliases]);

/** Returns an operation or a chain, even if the caller is not allowed to use it. */
export const operationOrChain = (model: Model, name: string): Operation | undefined =>
  operationByName(name) ?? chainByName(model, name);

/**
 * Returns an operation or chain that the caller can use.
 * @throws NotFound if the name is unknown; Forbidden if only administrators can call it; NotServed for operations that
 * run scripts
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
