import { isStorableText } from '../../model/values/storable.ts';
import type { Scope } from '../../scope.ts';
import { sourceOf } from '../directories/index.ts';
import type { StoredEntry } from '../directories/source.ts';
import { maxPageSize } from '../lists/page.ts';

/** Whose entries are the services of others (§5). */
export const providersDirectory = 'oauth2ServiceProviders';

/** All, or those of a name, the oldest first. */
export const findServiceProviders =
  (scope: Scope): ((serviceName?: string) => Promise<readonly StoredEntry[]>) =>
  async (serviceName) => {
    if (serviceName !== undefined && !isStorableText(serviceName)) return [];
    const filter = serviceName === undefined ? {} : { serviceName };
    const wanted = { filter, limit: maxPageSize, offset: 0, after: undefined };
    const [page] = (await sourceOf(providersDirectory)?.list(scope, [providersDirectory], wanted)) ?? [];
    return page?.entries ?? [];
  };
