import { builder } from '../../graphql/builder.ts';
import type { OAuth2ClientRow } from '../../loaders/tokens/oauth2.ts';
import { requireAdministrator } from '../../security/principal.ts';
import { OAuth2Tokens } from './grants.ts';
import { OAuth2Client } from './oauth2.ts';

const OAuth2Clients = builder.objectRef<readonly OAuth2ClientRow[]>('OAuth2Clients').implement({
  fields: (t) => ({ entries: t.field({ type: [OAuth2Client], resolve: (rows) => [...rows] }) }),
});

builder.queryFields((t) => ({
  clients: t.field({
    type: OAuth2Clients,
    description: 'The applications that can request access (§5). Only for administrators.',
    resolve: (_, __, { load, user }) => {
      requireAdministrator(user, 'see all OAuth clients and tokens');
      return load.oauth2Clients();
    },
  }),
  allGrants: t.field({
    type: OAuth2Tokens,
    description:
      'The access tokens that users have granted to applications, oldest first. Only for administrators.',
    resolve: (_, __, { load, user }) => {
      requireAdministrator(user, 'see all OAuth clients and tokens');
      return load.oauth2Tokens({});
    },
  }),
}));
