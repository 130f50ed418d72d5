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

/** The names of the variables that contain actors. */
const namingPeople = ({ nodes }: WorkflowModel): Set<string> =>
  new Set(
    [...nodes.values()].flatMap(({ task }) =>
      task && task.actors !== 'initiator' ? [task.actors.variable] : [],
    ),
  );

/** Reads the variables in a request body, which contains them by name. */
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

/**
 * Checks that variables name existing users and groups.
 * @throws Invalid for unknown users and groups
 */
async function requirePeople(scope: Scope, model: WorkflowModel, values: StoredProperties): Promise<void> {
  for (const name of namingPeople(model)) {
    const value = values[name];
    if (!isUnset(value)) await resolveActors(scope, value as string[], `variables.${name}`);
  }
}

/**
 * Checks that the model declares the variables.
 * @throws Invalid for unknown variables, but only if the request is strict (§9)
 */
export function requireKnownVariables(
  { options: { isStrict } }: Scope,
  { name: modelName, variables: { properties } }: WorkflowModel,
  json: Readonly<Record<string, unknown>>,
): void {
  const unknown = isStrict ? Object.keys(json).filter((name) => !properties.has(name)) : [];
  if (unknown.length > 0)
    throw new Invalid(`variables: the workflow model ${modelName} has no variable ${joinFew(unknown, ', ')}`);
}

/** Whether a value equals the current one, or is the beginning of a list that has grown since it was read. */
function isAsRead(read: StoredValue, current: StoredValue | undefined, grows: boolean): boolean {
  if (grows && isUnset(read)) return true;
  if (isUnset(read)) return isUnset(current);
  const known =
    grows && Array.isArray(read) && Array.isArray(current) ? current.slice(0, read.length) : current;
  return isDeepStrictEqual(read, known);
}

/**
 * Applies the values in a request body to the variables of a workflow.
 * @param input `may` tells which variables can be set; others can only be sent back unchanged. `grows` is the name of a
 * list to which other completed tasks append
 * @throws Invalid for values of the wrong type, changes that are not allowed, unknown users and, if the request is
 * strict, unknown variables; Unprocessable for a value that violates a constraint
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
  const values: StoredProperties = {};
  const faults = new Faults();
  for (const [name, value] of Object.entries(await readVariables(scope, properties, { json, faults })))
    if (may(name)) values[name] = value;
    else if (!isAsRead(value, current[name], name === grows))
      faults.add(() => `variables.${name} cannot be set here`);
  faults.requireNone();
  const byXpath = (named: StoredProperties): StoredProperties =>
    Object.fromEntries(
      Object.entries(named).map(([name, value]) => [properties.get(name)?.xpath ?? name, value]),
    );
  const read = byXpath(values);
  await checkProperties(scope, [model.variables], read, {
    xpaths: Object.keys(read),
    stored: byXpath(current),
  });
  await requirePeople(scope, model, values);
  return withoutUnset({ ...current, ...values });
}

/** The default values of a workflow model's variables. */
export const firstVariables = ({ variables }: WorkflowModel): StoredProperties =>
  Object.fromEntries(
    [...variables.properties.values()].flatMap(({ name, default: value }) =>
      value === undefined ? [] : [[name, value]],
    ),
  );

/** @throws Unprocessable with the names of required variables that have no value */
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
