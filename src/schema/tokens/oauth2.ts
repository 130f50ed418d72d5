import { Forbidden } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { single } from '../../graphql/single.ts';
import type { OAuth2ClientRow, OAuth2TokenRow } from '../../loaders/tokens/oauth2.ts';
import type { Principal } from '../../security/principal.ts';
import {
  createOAuth2Clients,
  deleteOAuth2Clients,
  type OAuth2ClientFields,
  updateOAuth2Clients,
} from '../../store/tokens/oauth2-clients.ts';
import { deleteTokens, endOfAccess } from '../../store/tokens/oauth2-tokens.ts';

export const OAuth2Client = builder.objectRef<OAuth2ClientRow>('OAuth2Client').implement({
  description: 'An application that may request access from users (§5); its secret is never answered.',
  fields: (t) => ({
    id: t.exposeInt('id'),
    clientId: t.exposeString('clientId'),
    name: t.exposeString('name'),
    redirectURIs: t.exposeStringList('redirectUris'),
    autoGrant: t.exposeBoolean('autoGrant', { description: 'Access is granted without asking the user.' }),
    enabled: t.exposeBoolean('enabled'),
    hasSecret: t.boolean({ resolve: ({ secretHash }) => secretHash !== null }),
  }),
});

export const OAuth2Token = builder.objectRef<OAuth2TokenRow>('OAuth2Token').implement({
  description: 'A pair of tokens, without the tokens themselves.',
  fields: (t) => ({
    id: t.exposeInt('id'),
    client: t.expose('client', { type: OAuth2Client }),
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
  description: 'Absent fields stay; in a new client they have their defaults.',
  fields: (t) => ({
    clientId: t.string(),
    name: t.string(),
    clientSecret: t.string({ description: 'null removes it.' }),
    redirectURIs: t.stringList(),
    autoGrant: t.boolean(),
    enabled: t.boolean(),
  }),
});

const fresh: OAuth2ClientFields = {
  clientId: '',
  name: '',
  clientSecret: null,
  redirectURIs: [],
  autoGrant: false,
  enabled: true,
};

type Given = typeof ClientInput.$inferInput;

/** Null means absent, except that a null secret removes the secret. */
const given = ({ clientSecret, ...others }: Given): Partial<OAuth2ClientFields> => ({
  ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== null && value !== undefined)),
  ...(clientSecret !== undefined && { clientSecret }),
});

builder.mutationFields((t) => ({
  createOAuth2Client: t.field({
    type: OAuth2Client,
    args: { client: t.arg({ type: ClientInput, required: true }) },
    resolve: async (_, { client }, context) => {
      requireAdministrator(context.user);
      return single(await createOAuth2Clients(context, [{ ...fresh, ...given(client) }]));
    },
  }),
  updateOAuth2Client: t.field({
    type: OAuth2Client,
    args: { id: t.arg.int({ required: true }), client: t.arg({ type: ClientInput, required: true }) },
    resolve: async (_, { id, client }, context) => {
      requireAdministrator(context.user);
      return single(await updateOAuth2Clients(context, [{ id, change: given(client) }]));
    },
  }),
  deleteOAuth2Client: t.int({
    description: 'Deletes a client with its tokens; answers its id.',
    args: { id: t.arg.int({ required: true }) },
    resolve: async (_, { id }, context) => {
      requireAdministrator(context.user);
      await deleteOAuth2Clients(context, [id]);
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
