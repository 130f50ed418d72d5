import { isDeepStrictEqual } from 'node:util';
import { Faults, Invalid, joinFew, Unprocessable } from '../../errors.ts';
import type { Property, WorkflowModel } from '../../model/model.ts';
import { missingViolation } from '../../model/values/constraints.ts';
import { nothingPending, readValue } from '../../model/values/read-value.ts';
import { isUnset, type StoredProperties, type StoredValue } from '../../model/values/stored.ts';
import type { Scope } from '../../scope.ts';
import { putHierarchicalValues } from '../directories/hierarchical-values.ts';
import { checkProperties, withoutUnset } from '../documents/properties.ts';
import { resolveActors } from './actors.ts';

const namingPeople = ({ nodes }: WorkflowModel): Set<string> =>
  new Set(
    [...nodes.values()].flatMap(({ task }) =>
      task && task.actors !== 'initiator' ? [task.actors.variable] : [],
    ),
  );

/** The variables that a body has, by their names. */
async function readVariables(
  scope: Scope,
  properties: ReadonlyMap<string, Property>,
  { json, faults }: { readonly json: Readonly<Record<string, unknown>>; readonly faults: Faults },
): Promise<StoredProperties> {
  const read: StoredProperties = {};
  const pending = nothingPending();
  for (const [name, property] of properties) {
    if (!Object.hasOwn(json, name)) continue;
    const { length } = pending.blobs;
    read[name] = null;
    readValue(property, json[name], (value) => (read[name] = value), { pending, faults });
    if (pending.blobs.length > length) faults.add(() => `variables.${name}: files cannot be sent`);
  }
  await putHierarchicalValues(scope, pending.entries);
  return read;
}

/** @throws Invalid for unknown users and groups. */
async function requirePeople(scope: Scope, model: WorkflowModel, given: StoredProperties): Promise<void> {
  for (const name of namingPeople(model)) {
    const value = given[name];
    if (!isUnset(value)) await resolveActors(scope, value as string[], `variables.${name}`);
  }
}

/** @throws Invalid for unknown ones of a strict request (§9). */
export function requireKnownVariables(
  { options: { isStrict } }: Scope,
  { name: modelName, variables: { properties } }: WorkflowModel,
  json: Readonly<Record<string, unknown>>,
): void {
  const unknown = isStrict ? Object.keys(json).filter((name) => !properties.has(name)) : [];
  if (unknown.length > 0)
    throw new Invalid(`variables: ${modelName} has no variable ${joinFew(unknown, ', ')}`);
}

/** Whether a value is the current one, or the beginning of a list that has grown since it was read. */
function isAsRead(read: StoredValue, current: StoredValue | undefined, grows: boolean): boolean {
  if (grows && isUnset(read)) return true;
  if (isUnset(read)) return isUnset(current);
  const known =
    grows && Array.isArray(read) && Array.isArray(current) ? current.slice(0, read.length) : current;
  return isDeepStrictEqual(read, known);
}

/**
 * The variables of a workflow with the given ones.
 * @param may the variables that may be set; others may only be repeated.
 * @param grows a list that other answers append to.
 * @throws Invalid for values of another type, changes that are not allowed, unknown users, and in strict
 * requests unknown variables; Unprocessable for values that break a constraint.
 */
export async function withVariables(
  scope: Scope,
  model: WorkflowModel,
  {
    current,
    json,
    may,
    grows,
  }: {
    current: StoredProperties;
    json: Readonly<Record<string, unknown>>;
    may: (name: string) => boolean;
    grows?: string | undefined;
  },
): Promise<StoredProperties> {
  requireKnownVariables(scope, model, json);
  const { properties } = model.variables;
  const given: StoredProperties = {};
  const faults = new Faults();
  for (const [name, value] of Object.entries(await readVariables(scope, properties, { json, faults })))
    if (may(name)) given[name] = value;
    else if (!isAsRead(value, current[name], name === grows))
      faults.add(() => `variables.${name}: cannot be set here`);
  faults.requireNone();
  const byXpath = (values: StoredProperties): StoredProperties =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [properties.get(name)?.xpath ?? name, value]),
    );
  const read = byXpath(given);
  await checkProperties(scope, [model.variables], read, {
    xpaths: Object.keys(read),
    stored: byXpath(current),
  });
  await requirePeople(scope, model, given);
  return withoutUnset({ ...current, ...given });
}

export const firstVariables = ({ variables }: WorkflowModel): StoredProperties =>
  Object.fromEntries(
    [...variables.properties.values()].flatMap(({ name, default: value }) =>
      value === undefined ? [] : [[name, value]],
    ),
  );

/** @throws Unprocessable naming unset ones. */
export function requireVariables(
  { options: { language } }: Scope,
  { variables: { properties } }: WorkflowModel,
  values: StoredProperties,
  names: readonly string[],
): void {
  const missing = names.filter((name) => isUnset(values[name]) || values[name] === '');
  const fieldOf = (name: string) => properties.get(name)?.xpath ?? name;
  if (missing.length > 0)
    throw new Unprocessable(missing.map((name) => missingViolation([{ field: fieldOf(name) }], language)));
}
