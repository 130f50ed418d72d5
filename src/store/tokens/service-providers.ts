import { Conflict, Invalid, NotFound } from '../../errors.ts';
import type { StoredEntry } from '../../loaders/directories/source.ts';
import { findServiceProviders, providersDirectory } from '../../loaders/tokens/service-providers.ts';
import type { EntryJson } from '../../model/directories/entry-fields.ts';
import type { Scope } from '../../scope.ts';
import {
  createEntries,
  deleteEntries,
  editableDirectory,
  updateEntries,
} from '../directories/directory-entries.ts';

/**
 * Checks that no other provider has the same name. This runs after the write, which waits for other transactions that
 * create a provider, so that one of two concurrent transactions fails.
 * @throws Invalid, Conflict
 */
async function requireOnlyOne(scope: Scope, { properties }: StoredEntry): Promise<void> {
  const { serviceName } = properties;
  if (typeof serviceName !== 'string' || serviceName.trim() === '')
    throw new Invalid('serviceName is missing');
  if ((await findServiceProviders(scope)(serviceName)).length > 1)
    throw new Conflict(`serviceName: ${serviceName} is taken. Choose another one.`);
}

/**
 * Returns the first provider with the given name.
 * @throws NotFound; Forbidden if the caller is not allowed to change it
 */
async function editableProvider(scope: Scope, serviceName: string): Promise<StoredEntry> {
  editableDirectory(scope, providersDirectory);
  const [provider] = await findServiceProviders(scope)(serviceName);
  if (!provider) throw new NotFound(`There is no service ${serviceName}.`);
  return provider;
}

/**
 * Creates an OAuth 2.0 provider.
 * @throws Forbidden, Invalid; Conflict if the name is taken
 */
export async function createServiceProvider(scope: Scope, properties: EntryJson): Promise<StoredEntry> {
  const [made] = await createEntries(scope, providersDirectory, [{ properties }]);
  await requireOnlyOne(scope, made as StoredEntry);
  return made as StoredEntry;
}

/**
 * Changes a provider. Absent fields remain unchanged, including the secret.
 * @throws NotFound, Forbidden, Invalid; Conflict if the name is taken
 */
export async function updateServiceProvider(
  scope: Scope,
  serviceName: string,
  properties: EntryJson,
): Promise<StoredEntry> {
  const { id, properties: before } = await editableProvider(scope, serviceName);
  const [changed] = await updateEntries(scope, providersDirectory, [{ id, change: { properties } }]);
  const after = changed as StoredEntry;
  if (after.properties.serviceName !== before.serviceName) await requireOnlyOne(scope, after);
  return after;
}

/** Deletes a provider. @throws NotFound, Forbidden */
export async function deleteServiceProvider(scope: Scope, serviceName: string): Promise<string> {
  const { id } = await editableProvider(scope, serviceName);
  await deleteEntries(scope, providersDirectory, [id]);
  return serviceName;
}
