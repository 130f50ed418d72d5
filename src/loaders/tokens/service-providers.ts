import { isStorableText } from '../../model/values/storable.ts';
import type { Scope } from '../../scope.ts';
import { sourceOf } from '../directories/index.ts';
import type { StoredEntry } from '../directories/source.ts';
import { maxPageSize } from '../lists/page.ts';

/** The directory whose entries are external OAuth services (§5). */
export const providersDirectory = 'oauth2ServiceProviders';

/** Reads all service providers, or only those with the given name, oldest first. */
export const findServiceProviders =
  (scope: Scope): ((serviceName?: string) => Promise<readonly StoredEntry[]>) =>
  async (serviceName) => {
    if (serviceName !== undefined && !isStorableText(serviceName)) return [];
    const filter = serviceName === undefined ? {} : { serviceName };
    const options = { filter, limit: maxPageSize, offset: 0, after: undefined };
    const [page] = (await sourceOf(providersDirectory)?.list(scope, [providersDirectory], options)) ?? [];
    return page?.entries ?? [];
  };
