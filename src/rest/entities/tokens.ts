import { constant, entityType, Field, type Selection } from '../../selection.ts';

const token: Selection = {
  'entity-type': entityType,
  id: true,
  username: true,
  application: true,
  deviceId: true,
  deviceDescription: true,
  permission: true,
  creationDate: true,
};

/** What an application was granted; those of services of others, which clients may expect here too, there are none of. */
const grant: Selection = {
  'entity-type': constant('nuxeoOAuth2Token'),
  serviceName: constant(null),
  serviceLogin: constant(null),
  clientId: true,
  nuxeoLogin: new Field({ name: 'username' }),
  isShared: constant(false),
  sharedWith: constant(null),
  creationDate: true,
};

/** §5: tokens are the same for every request. */
export const tokenEntities = {
  tokens: { 'entity-type': entityType, entries: token },
  grant,
  grants: { 'entity-type': constant('nuxeoOAuth2Tokens'), entries: grant },
} satisfies Record<string, Selection>;
