import { type ProviderState, providerState } from '../../auth/provider-state.ts';
import { builder } from '../../graphql/builder.ts';
import type { IdentityProvider as Provider } from '../../security/identity-settings.ts';
import { requireAdministrator } from '../../security/principal.ts';

const IdentityProviderState = builder.objectRef<ProviderState>('IdentityProviderState').implement({
  description: 'Whether an identity provider responds now.',
  fields: (t) => ({
    isReachable: t.exposeBoolean('isReachable', { description: 'Whether the provider can be used.' }),
    fault: t.exposeString('fault', {
      nullable: true,
      description: 'Why the provider cannot be used; null if it can.',
    }),
  }),
});

const ClaimRule = builder
  .objectRef<{ readonly name: string; readonly claim: string; readonly values: readonly string[] }>(
    'ClaimRule',
  )
  .implement({
    description: 'A rule that sets a property, or the membership in a group, at each sign-in.',
    fields: (t) => ({
      name: t.exposeString('name', { description: 'The property or the group.' }),
      claim: t.exposeString('claim', { description: 'The claim or attribute that the provider sends.' }),
      values: t.stringList({
        description: 'The values with which users join the group; if there are none, any value.',
        resolve: ({ values }) => [...values],
      }),
    }),
  });

/** The address that identifies a provider, or the addresses of the servers of a directory. */
const addressOf = (provider: Provider): string =>
  provider.kind === 'oidc' ? provider.issuer : provider.servers.join(', ');

const IdentityProvider = builder.objectRef<Provider>('IdentityProvider').implement({
  description: 'An identity provider of IDENTITY_FILE, without its secrets.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name in addresses, such as /sso/NAME.' }),
    kind: t.exposeString('kind', { description: 'The kind of provider, such as oidc.' }),
    label: t.exposeString('label', { description: 'The name on the sign-in button.' }),
    issuer: t.string({ description: 'The address that identifies the provider.', resolve: addressOf }),
    createsUsers: t.boolean({
      description: 'Whether a user is created at the first sign-in.',
      resolve: ({ users }) => users.create,
    }),
    properties: t.field({
      type: [ClaimRule],
      description: 'The properties that come from the provider.',
      resolve: ({ users }) =>
        Object.entries(users.properties).map(([name, claim]) => ({ name, claim, values: [] })),
    }),
    groups: t.field({
      type: [ClaimRule],
      description: 'The groups whose members come from the provider.',
      resolve: ({ users }) =>
        users.groups.map(({ group, claim, values = [] }) => ({ name: group, claim, values })),
    }),
    state: t.field({
      type: IdentityProviderState,
      description: 'Asks the provider for a response.',
      resolve: (provider) => providerState(provider),
    }),
  }),
});

builder.queryField('identityProviders', (t) =>
  t.field({
    type: [IdentityProvider],
    description: 'The identity providers of IDENTITY_FILE, in its order; for administrators.',
    resolve: (_, __, { services, user }) => {
      requireAdministrator(user, 'see identity providers');
      return [...services.identityProviders];
    },
  }),
);
