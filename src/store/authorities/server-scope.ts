import type { Client } from '../../db/database.ts';
import type { AuthorityScope } from '../../scope.ts';
import { administrator } from '../../security/principal.ts';
import type { Services } from '../../services.ts';

/**
 * Returns the scope in which the server itself writes users and groups, without a request, in the name of
 * ADMIN_USERNAME. It can change what comes from identity providers.
 */
export const serverScope = (
  services: Pick<Services, 'blobs' | 'config' | 'model' | 'secrets'>,
  db: Client,
): AuthorityScope => ({
  db,
  services: { ...services, identityProviders: [] },
  user: administrator(services.config.ADMIN_USERNAME),
  usedUploads: new Set(),
  options: {
    repository: services.config.REPOSITORIES[0],
    language: 'en',
    comment: undefined,
    links: { readBlob: () => undefined },
  },
});
