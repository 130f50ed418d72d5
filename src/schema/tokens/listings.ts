import { Forbidden } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { maxPageSize } from '../../loaders/lists/page.ts';
import type { OAuth2ClientRow } from '../../loaders/tokens/oauth2.ts';
import { splitAtCommas } from '../../model/values/list-text.ts';
import type { StoredProperties } from '../../model/values/stored.ts';
import type { Principal } from '../../security/principal.ts';
import { OAuth2Tokens } from './grants.ts';
import { OAuth2Client } from './oauth2.ts';

const text = (properties: StoredProperties, name: string): string | null => {
  const value = properties[name];
  return typeof value === 'string' ? value : null;
};

const ServiceProvider = builder.objectRef<StoredProperties>('OAuth2ServiceProvider').implement({
  description:
    'A service of others, as registered in the directory oauth2ServiceProviders; never its secret.',
  fields: (t) => ({
    serviceName: t.string({ nullable: true, resolve: (row) => text(row, 'serviceName') }),
    description: t.string({ nullable: true, resolve: (row) => text(row, 'description') }),
    clientId: t.string({
      nullable: true,
      description: 'For administrators.',
      resolve: (row, _, { user }) => (user.isAdministrator ? text(row, 'clientId') : null),
    }),
    authorizationServerURL: t.string({
      nullable: true,
      resolve: (row) => text(row, 'authorizationServerURL'),
    }),
    tokenServerURL: t.string({ nullable: true, resolve: (row) => text(row, 'tokenServerURL') }),
    userAuthorizationURL: t.string({ nullable: true, resolve: (row) => text(row, 'userAuthorizationURL') }),
    scopes: t.stringList({ resolve: (row) => splitAtCommas(text(row, 'scopes') ?? '') }),
    isEnabled: t.boolean({ resolve: ({ enabled }) => enabled === true }),
  }),
});

const ServiceProviders = builder.objectRef<readonly StoredProperties[]>('OAuth2ServiceProviders').implement({
  fields: (t) => ({ entries: t.field({ type: [ServiceProvider], resolve: (rows) => [...rows] }) }),
});

const OAuth2Clients = builder.objectRef<readonly OAuth2ClientRow[]>('OAuth2Clients').implement({
  fields: (t) => ({ entries: t.field({ type: [OAuth2Client], resolve: (rows) => [...rows] }) }),
});

/** @throws Forbidden */
function requireAdministrator({ id, isAdministrator }: Principal): void {
  if (!isAdministrator)
    throw new Forbidden(`all clients and tokens are for administrators, and ${id} is none`);
}

const all = { filter: {}, limit: maxPageSize, offset: 0, after: undefined };

builder.queryFields((t) => ({
  serviceProviders: t.field({
    type: ServiceProviders,
    description: 'Services of others; the disabled ones for administrators alone.',
    resolve: async (_, __, { load, user }) => {
      const { entries } = await load.directoryEntryPages('oauth2ServiceProviders', all);
      const found = entries.map(({ properties }) => properties);
      return user.isAdministrator ? found : found.filter(({ enabled }) => enabled === true);
    },
  }),
  serviceTokens: t.field({
    type: OAuth2Tokens,
    description: 'What the caller was granted by services of others: nothing, since none is connected.',
    resolve: () => [],
  }),
  clients: t.field({
    type: OAuth2Clients,
    description: 'The applications that may ask for access (§5); for administrators.',
    resolve: (_, __, { load, user }) => {
      requireAdministrator(user);
      return load.oauth2Clients();
    },
  }),
  allGrants: t.field({
    type: OAuth2Tokens,
    description: 'What all users granted to applications, the oldest first; for administrators.',
    resolve: (_, __, { load, user }) => {
      requireAdministrator(user);
      return load.oauth2Tokens({});
    },
  }),
}));
