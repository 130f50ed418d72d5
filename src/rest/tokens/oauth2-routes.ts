import { z } from 'zod';
import { textList } from '../../model/values/json-shapes.ts';
import { splitSentList } from '../../model/values/list-text.ts';
import { call, input } from '../../selection/selection.ts';
import { bodyReader, entityTypeShape, objectShape, optionalText } from '../request/body.ts';
import { del, get, post, put, type Route } from '../route.ts';

const optionalFlag = z.boolean('must be true or false').nullish();
/** A list of texts, or one text with commas, as forms send it. */
const texts = z
  .union(
    [textList('must be a list', 'must be a string'), z.string().transform((value) => splitSentList(value))],
    'must be a list',
  )
  .nullish();
/**
 * The secret of a client. Forms send an empty text, which means no secret for a new client, and no change for
 * an existing one.
 */
const secret = optionalText.transform((value) => (value === '' ? undefined : value));

/**
 * §5: the body of an OAuth 2.0 client. Absent fields keep their values. The secret may also have its name in
 * the directory, so that it is not lost when a client copies an entry.
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

/** §5: the body of a service provider. Absent fields keep their values. */
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

/** §5: the body of a granted token; only its creation date can be changed. */
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
    summary: 'The access that all users granted to applications',
    isHidden,
  }),
  ...['provider', 'AS_PROVIDER'].map((kind) =>
    get(`/oauth2/token/${kind}`, (show) => ({ serviceTokens: show.grants }), {
      name: kind === 'provider' ? 'getServiceTokens' : 'getServiceTokensByKind',
      summary: 'The access that external services granted to the caller',
    }),
  ),
  ...['client', 'AS_CLIENT'].map((kind) =>
    get(`/oauth2/token/${kind}`, (show) => ({ grants: show.grants }), {
      name: kind === 'client' ? 'getGrants' : 'getGrantsByKind',
      summary: 'The access that the caller granted to applications',
    }),
  ),
  get('/oauth2/token/client/:client/user/:user', (show) => ({ grant: call(granted, show.grant) }), {
    name: 'getGrant',
    summary: 'The latest access that a user granted to an application',
  }),
  put(
    '/oauth2/token/client/:client/user/:user',
    grantBody,
    (show) => ({ updateGrant: call({ ...granted, properties: input('body') }, show.grant) }),
    {
      name: 'updateGrant',
      summary: 'Change the creation date of an access token, from which its lifetime counts',
      isHidden,
    },
  ),
  del('/oauth2/token/client/:client/user/:user', () => ({ revokeGrant: call(granted) }), {
    name: 'revokeGrant',
    summary: 'Revoke all access that a user granted to an application',
  }),
];

/**
 * §5: routes of applications that request access to this server, of external services, and of granted tokens.
 */
export const oauth2Routes: readonly Route[] = [...clients, ...providers, ...tokens];
