import { NotFound } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import type { Context } from '../../loaders/context.ts';
import { splitAtCommas } from '../../model/values/list-text.ts';
import { requireStorable } from '../../model/values/storable.ts';
import type { StoredProperties } from '../../model/values/stored.ts';
import {
  createServiceProvider,
  deleteServiceProvider,
  updateServiceProvider,
} from '../../store/tokens/service-providers.ts';
import { OAuth2Tokens } from './grants.ts';

const text = (properties: StoredProperties, name: string): string | null => {
  const value = properties[name];
  return typeof value === 'string' ? value : null;
};

const ServiceProvider = builder.objectRef<StoredProperties>('OAuth2ServiceProvider').implement({
  description:
    'An external service as registered in the directory oauth2ServiceProviders, without its secret.',
  fields: (t) => ({
    serviceName: t.string({ nullable: true, resolve: (row) => text(row, 'serviceName') }),
    description: t.string({ nullable: true, resolve: (row) => text(row, 'description') }),
    clientId: t.string({
      nullable: true,
      description: 'Null unless the caller is an administrator.',
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

/** The service providers that the caller can see. Only administrators see disabled ones. */
async function providersFor(
  { load, user }: Context,
  serviceName?: string,
): Promise<readonly StoredProperties[]> {
  const found = (await load.serviceProviders(serviceName)).map(({ properties }) => properties);
  return user.isAdministrator ? found : found.filter(({ enabled }) => enabled === true);
}

/** @throws NotFound if no service provider has the given name */
async function providerNamed(context: Context, serviceName: string): Promise<StoredProperties> {
  const [provider] = await providersFor(context, serviceName);
  if (!provider) throw new NotFound(`There is no service ${serviceName}.`);
  return provider;
}

const ofService = builder.args((t) => ({ serviceName: t.string({ required: true }) }));

builder.queryFields((t) => ({
  serviceProviders: t.field({
    type: ServiceProviders,
    description: 'External services. Only administrators see disabled ones.',
    resolve: (_, __, context) => providersFor(context),
  }),
  serviceProvider: t.field({
    type: ServiceProvider,
    nullable: true,
    description: 'An external service by its name. Only administrators see disabled ones.',
    args: ofService,
    resolve: (_, { serviceName }, context) => providerNamed(context, serviceName),
  }),
  serviceTokens: t.field({
    type: OAuth2Tokens,
    description:
      "The caller's tokens for external services. Always empty, because the server connects to no external services.",
    resolve: () => [],
  }),
}));

const ServiceProviderInput = builder.inputType('OAuth2ServiceProviderInput', {
  description: 'Absent fields keep their values; null clears them.',
  fields: (t) => ({
    serviceName: t.string({ description: 'The name, which is unique; required for a new service.' }),
    description: t.string(),
    clientId: t.string(),
    clientSecret: t.string({ description: 'The secret. An empty string leaves it unchanged.' }),
    authorizationServerURL: t.string(),
    tokenServerURL: t.string(),
    userAuthorizationURL: t.string(),
    scopes: t.stringList(),
    isEnabled: t.boolean(),
  }),
});

/**
 * Converts the input to a directory entry.
 * @throws Invalid
 */
function entryOf(provider: typeof ServiceProviderInput.$inferInput) {
  requireStorable(provider);
  const { scopes, isEnabled, ...others } = provider;
  return {
    ...others,
    ...(scopes !== undefined && { scopes: scopes?.join(',') ?? null }),
    ...(isEnabled !== undefined && { enabled: isEnabled }),
  };
}

const fields = { type: ServiceProviderInput, required: true } as const;

builder.mutationFields((t) => ({
  createServiceProvider: t.field({
    type: ServiceProvider,
    args: { provider: t.arg(fields) },
    resolve: async (_, { provider }, context) =>
      (await createServiceProvider(context, entryOf(provider))).properties,
  }),
  updateServiceProvider: t.field({
    type: ServiceProvider,
    args: { ...ofService, provider: t.arg(fields) },
    resolve: async (_, { serviceName, provider }, context) =>
      (await updateServiceProvider(context, serviceName, entryOf(provider))).properties,
  }),
  deleteServiceProvider: t.string({
    description: 'Deletes an external service and returns its name.',
    args: ofService,
    resolve: (_, { serviceName }, context) => deleteServiceProvider(context, serviceName),
  }),
}));
