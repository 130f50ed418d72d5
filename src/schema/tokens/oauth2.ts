import { builder } from '../../graphql/builder.ts';
import type { OAuth2ClientRow, OAuth2TokenRow } from '../../loaders/tokens/oauth2.ts';
import { requireAdministrator } from '../../security/principal.ts';
import { deleteTokens, endOfAccess } from '../../store/tokens/oauth2-tokens.ts';

export const OAuth2Client = builder.objectRef<OAuth2ClientRow>('OAuth2Client').implement({
  description: 'An application that can request access from users (§5), without its secret.',
  fields: (t) => ({
    id: t.exposeInt('id'),
    clientId: t.exposeString('clientId'),
    name: t.exposeString('name'),
    redirectURIs: t.exposeStringList('redirectUris'),
    autoGrant: t.exposeBoolean('autoGrant', {
      description: 'Whether access is granted without asking the user.',
    }),
    enabled: t.exposeBoolean('enabled'),
    hasSecret: t.boolean({ resolve: ({ secretHash }) => secretHash !== null }),
  }),
});

export const OAuth2Token = builder.objectRef<OAuth2TokenRow>('OAuth2Token').implement({
  description: 'A pair of an access token and a refresh token, without the tokens themselves.',
  fields: (t) => ({
    id: t.exposeInt('id'),
    client: t.expose('client', { type: OAuth2Client }),
    clientId: t.string({ resolve: ({ client }) => client.clientId }),
    username: t.exposeString('userId'),
    creationDate: t.string({ resolve: ({ createdAt }) => createdAt.toISOString() }),
    lastUsed: t.string({
      nullable: true,
      description: 'The last use of the access token, up to two minutes late; null if it has not been used.',
      resolve: ({ lastUsedAt }) => lastUsedAt?.toISOString() ?? null,
    }),
    accessUntil: t.string({ resolve: (row) => new Date(endOfAccess(row)).toISOString() }),
  }),
});

builder.queryFields((t) => ({
  oauth2Clients: t.field({
    type: [OAuth2Client],
    resolve: (_, __, { load, user }) => {
      requireAdministrator(user, 'manage OAuth clients and tokens');
      return load.oauth2Clients();
    },
  }),
  oauth2Tokens: t.field({
    type: [OAuth2Token],
    args: { username: t.arg.string() },
    resolve: (_, { username }, { load, user }) => {
      requireAdministrator(user, 'manage OAuth clients and tokens');
      return load.oauth2Tokens({ username: username ?? undefined });
    },
  }),
}));

builder.mutationField('deleteOAuth2Token', (t) =>
  t.int({
    description: 'Revokes an access token and its refresh token, and returns their id.',
    args: { id: t.arg.int({ required: true }) },
    resolve: async (_, { id }, context) => {
      requireAdministrator(context.user, 'manage OAuth clients and tokens');
      await deleteTokens(context, [id]);
      return id;
    },
  }),
);
