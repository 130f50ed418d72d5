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
  lastUsed: true,
};

const session: Selection = {
  'entity-type': entityType,
  id: true,
  username: true,
  address: true,
  browser: true,
  creationDate: true,
  lastUsed: true,
  endDate: true,
  isCurrent: true,
};

// An access token that a user has granted to an application. The reference implementation also lists tokens of
// external providers, which do not exist here.
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

const provider: Selection = {
  'entity-type': constant('nuxeoOAuth2ServiceProvider'),
  serviceName: true,
  description: true,
  clientId: true,
  authorizationServerURL: true,
  tokenServerURL: true,
  userAuthorizationURL: true,
  scopes: true,
  isEnabled: true,
  isAvailable: constant(false),
  authorizationURL: constant(null),
};

const client: Selection = {
  'entity-type': constant('oauth2Client'),
  id: new Field({ name: 'clientId' }),
  name: true,
  redirectURIs: true,
  isAutoGrant: new Field({ name: 'autoGrant' }),
  isEnabled: new Field({ name: 'enabled' }),
};

/** The entities for tokens (§5). No header changes their form. */
export const tokenEntities = {
  sessions: { 'entity-type': entityType, entries: session },
  tokens: { 'entity-type': entityType, entries: token },
  grant,
  provider,
  client,
  providers: { 'entity-type': constant('nuxeoOAuth2ServiceProviders'), entries: provider },
  clients: { 'entity-type': constant('oauth2Clients'), entries: client },
  grants: { 'entity-type': constant('nuxeoOAuth2Tokens'), entries: grant },
} satisfies Record<string, Selection>;
