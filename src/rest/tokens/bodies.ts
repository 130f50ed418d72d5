import { z } from 'zod';

import { textList } from '../../model/values/json-shapes.ts';
import { splitSentList } from '../../model/values/list-text.ts';

import { bodyReader, entityTypeShape, objectShape, optionalText } from '../request/body.ts';

const optionalFlag = z.boolean('is neither true nor false').nullish();
/** A list, or a text with commas as forms send it. */
const texts = z
  .union(
    [textList('is no list', 'is no string'), z.string().transform((given) => splitSentList(given))],
    'is no list',
  )
  .nullish();
/** An empty one, as forms send it, is none of a new client, and no change of another. */
const secret = optionalText.transform((given) => (given === '' ? undefined : given));

/** §5: fields that are absent stay. The secret may be called as in the directory: it must not get lost. */
export const oauth2ClientBody = bodyReader(
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
  ({ 'entity-type': _, id, secret: given, clientSecret = given, isAutoGrant, isEnabled, ...client }) => ({
    ...client,
    clientId: id,
    ...(clientSecret !== undefined && { clientSecret }),
    autoGrant: isAutoGrant,
    enabled: isEnabled,
  }),
);

/** §5: fields that are absent stay. */
export const serviceProviderBody = bodyReader(
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

/** §5: of a grant, its creation date. */
export const grantBody = bodyReader(
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
