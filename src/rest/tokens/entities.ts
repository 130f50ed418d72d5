import { constant, entityType, Field, type Selection } from '../../selection/selection.ts';

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

// Tokens granted to applications. Tokens of external providers, which the reference lists here too, do not
// exist.
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

/** §5: no header shapes them. */
export const tokenEntities = {
  tokens: { 'entity-type': entityType, entries: token },
  grant,
  grants: { 'entity-type': constant('nuxeoOAuth2Tokens'), entries: grant },
} satisfies Record<string, Selection>;
