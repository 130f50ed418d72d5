import { z } from 'zod';
import { textList } from '../../model/values/json-shapes.ts';
import { splitSentList } from '../../model/values/list-text.ts';
import { call, input } from '../../selection/selection.ts';
import { bodyReader, entityTypeShape, objectShape, optionalText } from '../request/body.ts';
import { del, get, post, put, type Route } from '../route.ts';

const optionalFlag = z.boolean('must be true or false').nullish();
/** A list of strings, or one comma-separated string, as sent by forms. */
const texts = z
  .union(
    [textList('must be a list', 'must be a string'), z.string().transform((value) => splitSentList(value))],
    'must be a list',
  )
  .nullish();
/**
 * The secret of a client. Forms send an empty string, which means no secret for a new client, and an unchanged
 * secret for an existing client.
 */
const secret = optionalText.transform((value) => (value === '' ? undefined : value));

/**
 * The request body for an OAuth 2.0 client (§5). Absent fields keep their values. The secret is also accepted under the
 * name that it has in the directory, so that it is not lost when a client copies an entry.
 */
const oauth2ClientBody = bodyReader(
  objectShape('OAuth2ClientBody', {
    'entity-type': entityTypeShape('oauth2Client'),
    id: optionalText,
    name: optionalText,
    secret,
    clientSecret: secret,
    redirectURIs: texts,
    isAutoGrant: optionalFlag,
    isEnabled: optionalFlag,
  }),
  ({
    'entity-type': _,
    id,
    secret: directorySecret,
    clientSecret = directorySecret,
    isAutoGrant,
    isEnabled,
    ...client
  }) => ({
    ...client,
    clientId: id,
    ...(clientSecret !== undefined && { clientSecret }),
    autoGrant: isAutoGrant,
    enabled: isEnabled,
  }),
);

/** §5: the request body for a service provider. Absent fields keep their values. */
const serviceProviderBody = bodyReader(
  objectShape('OAuth2ServiceProviderBody', {
    'entity-type': entityTypeShape('nuxeoOAuth2ServiceProvider'),
    serviceName: optionalText,
    description: optionalText,
    clientId: optionalText,
    clientSecret: optionalText,
    authorizationServerURL: optionalText,
    tokenServerURL: optionalText,
    userAuthorizationURL: optionalText,
    scopes: texts,
    isEnabled: optionalFlag,
  }),
  ({ 'entity-type': _, ...provider }) => provider,
);

/** §5: the request body for a granted token; only its creation date can be changed. */
const grantBody = bodyReader(
  objectShape('OAuth2GrantBody', {
    'entity-type': entityTypeShape('nuxeoOAuth2Token'),
    clientId: optionalText,
    nuxeoLogin: optionalText,
    creationDate: optionalText,
    serviceName: optionalText,
    serviceLogin: optionalText,
    isShared: optionalFlag,
    sharedWith: optionalText,
  }),
  ({ 'entity-type': _, ...grant }) => grant,
);

const granted = { clientId: input('address.client'), username: input('address.user') };
const byClient = { clientId: input('address.client') };
const byService = { serviceName: input('address.provider') };
const client = { client: input('body') };
const provider = { provider: input('body') };
const isHidden = true;

const clients: readonly Route[] = [
  get('/oauth2/client', (show) => ({ clients: show.clients }), {
    name: 'getOAuth2Clients',
    summary: 'All applications that can request access',
    isHidden,
  }),
  post('/oauth2/client', oauth2ClientBody, (show) => ({ createOAuth2Client: call(client, show.client) }), {
    name: 'createOAuth2Client',
    summary: 'Register an application',
    isHidden,
  }),
  get('/oauth2/client/:client', (show) => ({ client: call(byClient, show.client) }), {
    name: 'getOAuth2Client',
    summary: 'An application that can request access',
    isHidden,
  }),
  put(
    '/oauth2/client/:client',
    oauth2ClientBody,
    (show) => ({ updateOAuth2Client: call({ ...byClient, ...client }, show.client) }),
    { name: 'updateOAuth2Client', summary: 'Change an application', isHidden },
  ),
  del('/oauth2/client/:client', () => ({ deleteOAuth2Client: call(byClient) }), {
    name: 'deleteOAuth2Client',
    summary: 'Delete an application, and revoke all access granted to it',
    isHidden,
  }),
];

const providers: readonly Route[] = [
  get('/oauth2/provider', (show) => ({ serviceProviders: show.providers }), {
    name: 'getServiceProviders',
    summary: 'The registered external services',
  }),
  post(
    '/oauth2/provider',
    serviceProviderBody,
    (show) => ({ createServiceProvider: call(provider, show.provider) }),
    { name: 'createServiceProvider', summary: 'Register an external service', isHidden },
  ),
  get('/oauth2/provider/:provider', (show) => ({ serviceProvider: call(byService, show.provider) }), {
    name: 'getServiceProvider',
    summary: 'An external service',
  }),
  put(
    '/oauth2/provider/:provider',
    serviceProviderBody,
    (show) => ({ updateServiceProvider: call({ ...byService, ...provider }, show.provider) }),
    { name: 'updateServiceProvider', summary: 'Change an external service', isHidden },
  ),
  del('/oauth2/provider/:provider', () => ({ deleteServiceProvider: call(byService) }), {
    name: 'deleteServiceProvider',
    summary: 'Delete an external service',
    isHidden,
  }),
];

const tokens: readonly Route[] = [
  get('/oauth2/token', (show) => ({ allGrants: show.grants }), {
    name: 'getAllGrants',
    summary: 'The access tokens that users have granted to applications',
    isHidden,
  }),
  ...['provider', 'AS_PROVIDER'].map((kind) =>
    get(`/oauth2/token/${kind}`, (show) => ({ serviceTokens: show.grants }), {
      name: kind === 'provider' ? 'getServiceTokens' : 'getServiceTokensByKind',
      summary: 'The access tokens that external services have granted to the caller',
    }),
  ),
  ...['client', 'AS_CLIENT'].map((kind) =>
    get(`/oauth2/token/${kind}`, (show) => ({ grants: show.grants }), {
      name: kind === 'client' ? 'getGrants' : 'getGrantsByKind',
      summary: 'The access tokens that the caller has granted to applications',
    }),
  ),
  get('/oauth2/token/client/:client/user/:user', (show) => ({ grant: call(granted, show.grant) }), {
    name: 'getGrant',
    summary: 'The latest access token that a user has granted to an application',
  }),
  put(
    '/oauth2/token/client/:client/user/:user',
    grantBody,
    (show) => ({ updateGrant: call({ ...granted, properties: input('body') }, show.grant) }),
    {
      name: 'updateGrant',
      summary: 'Change the creation date of an access token, at which its lifetime begins',
      isHidden,
    },
  ),
  del('/oauth2/token/client/:client/user/:user', () => ({ revokeGrant: call(granted) }), {
    name: 'revokeGrant',
    summary: 'Revoke all access that a user has granted to an application',
  }),
];

/**
 * §5: the routes for applications that request access to this server, for external services, and for granted tokens.
 */
export const oauth2Routes: readonly Route[] = [...clients, ...providers, ...tokens];
