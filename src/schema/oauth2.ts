import { Forbidden } from '../errors.ts';
import type { OAuth2ClientRow, OAuth2TokenRow } from '../loaders/oauth2.ts';
import type { Principal } from '../scope.ts';
import { type ClientFields, createClients, deleteClients, updateClients } from '../store/oauth2-clients.ts';
import { deleteTokens, endOfAccess } from '../store/oauth2-tokens.ts';
import { builder } from './builder.ts';
import { only } from './only.ts';

const OAuth2Client = builder.objectRef<OAuth2ClientRow>('OAuth2Client').implement({
  description: 'An application that may ask users for access (§5); its secret is never shown.',
  fields: (t) => ({
    id: t.exposeInt('id'),
    clientId: t.exposeString('clientId'),
    name: t.exposeString('name'),
    redirectURIs: t.exposeStringList('redirectUris'),
    autoGrant: t.exposeBoolean('autoGrant', { description: 'Users are not asked.' }),
    enabled: t.exposeBoolean('enabled'),
    hasSecret: t.boolean({ resolve: ({ secretHash }) => secretHash !== null }),
  }),
});

export const OAuth2Token = builder.objectRef<OAuth2TokenRow>('OAuth2Token').implement({
  description: 'What a client was granted, without the tokens themselves.',
  fields: (t) => ({
    id: t.exposeInt('id'),
    client: t.field({ type: OAuth2Client, resolve: ({ client }) => client }),
    clientId: t.string({ resolve: ({ client }) => client.clientId }),
    username: t.exposeString('userId'),
    creationDate: t.string({ resolve: ({ createdAt }) => createdAt.toISOString() }),
    accessUntil: t.string({ resolve: (row) => new Date(endOfAccess(row)).toISOString() }),
  }),
});

/** @throws Forbidden */
function requireAdministrator({ id, isAdministrator }: Principal): void {
  if (!isAdministrator)
    throw new Forbidden(`OAuth clients and tokens are for administrators, and ${id} is none`);
}

builder.queryFields((t) => ({
  oauth2Clients: t.field({
    type: [OAuth2Client],
    resolve: (_, __, { load, user }) => {
      requireAdministrator(user);
      return load.oauth2Clients();
    },
  }),
  oauth2Tokens: t.field({
    type: [OAuth2Token],
    args: { username: t.arg.string() },
    resolve: (_, { username }, { load, user }) => {
      requireAdministrator(user);
      return load.oauth2Tokens({ username: username ?? undefined });
    },
  }),
}));

const ClientInput = builder.inputType('OAuth2ClientInput', {
  description: 'What is absent stays; of a new client it is the default.',
  fields: (t) => ({
    clientId: t.string(),
    name: t.string(),
    clientSecret: t.string({ description: 'null takes it away.' }),
    redirectURIs: t.stringList(),
    autoGrant: t.boolean(),
    enabled: t.boolean(),
  }),
});

const fresh: ClientFields = {
  ...{ clientId: '', name: '', clientSecret: null, redirectURIs: [], autoGrant: false, enabled: true },
};

type Given = typeof ClientInput.$inferInput;

/** The fields that were given; null is no value but for a secret. */
const given = ({ clientSecret, ...others }: Given): Partial<ClientFields> => ({
  ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== null && value !== undefined)),
  ...(clientSecret !== undefined && { clientSecret }),
});

builder.mutationFields((t) => ({
  createOAuth2Client: t.field({
    type: OAuth2Client,
    args: { client: t.arg({ type: ClientInput, required: true }) },
    resolve: async (_, { client }, context) => {
      requireAdministrator(context.user);
      return only(await createClients(context, [{ ...fresh, ...given(client) }]));
    },
  }),
  updateOAuth2Client: t.field({
    type: OAuth2Client,
    args: { id: t.arg.int({ required: true }), client: t.arg({ type: ClientInput, required: true }) },
    resolve: async (_, { id, client }, context) => {
      requireAdministrator(context.user);
      return only(await updateClients(context, [{ id, change: given(client) }]));
    },
  }),
  deleteOAuth2Client: t.int({
    description: 'Removes a client and everything that it was granted; answers its id.',
    args: { id: t.arg.int({ required: true }) },
    resolve: async (_, { id }, context) => {
      requireAdministrator(context.user);
      await deleteClients(context, [id]);
      return id;
    },
  }),
  deleteOAuth2Token: t.int({
    description: 'Revokes an access token and its refresh token; answers their id.',
    args: { id: t.arg.int({ required: true }) },
    resolve: async (_, { id }, context) => {
      requireAdministrator(context.user);
      await deleteTokens(context, [id]);
      return id;
    },
  }),
}));
