import { Forbidden, NotFound } from '../../errors.ts';
import { builder, User } from '../../graphql/builder.ts';
import type { KnownIdentity, SignInFacts } from '../../loaders/authorities/sign-in-facts.ts';
import type { Context } from '../../loaders/context.ts';
import { managedGroups } from '../../security/identity-rules.ts';
import type { IdentityProvider } from '../../security/identity-settings.ts';
import { linkIdentity, unlinkIdentity } from '../../store/authorities/identities.ts';

const labelOf = ({ services: { identityProviders } }: Context, provider: string): string =>
  identityProviders.find(({ name }) => name === provider)?.label ?? provider;

const Identity = builder.objectRef<KnownIdentity>('Identity').implement({
  description: 'A user as an identity provider knows them.',
  fields: (t) => ({
    id: t.exposeID('id'),
    provider: t.exposeString('provider', { description: 'The name of the provider in IDENTITY_FILE.' }),
    label: t.string({
      description: 'The label of the provider; its name if it is not in IDENTITY_FILE any more.',
      resolve: ({ provider }, _, context) => labelOf(context, provider),
    }),
    subject: t.exposeString('subject', { description: "The provider's own id of the user." }),
    creationDate: t.exposeString('createdAt'),
    lastSignIn: t.exposeString('lastSignInAt', {
      nullable: true,
      description: 'The last sign-in with this identity; null if there was none.',
    }),
    endDate: t.exposeString('endedAt', {
      nullable: true,
      description: 'When the directory was found to have the user no longer; null while it has.',
    }),
  }),
});

/** A property or a group that a provider sets. */
interface Managed {
  readonly name: string;
  readonly label: string;
}

const ManagedField = builder.objectRef<Managed>('ManagedField').implement({
  description:
    'A property or a group whose value comes from an identity provider, and cannot be changed here.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The property or the group.' }),
    label: t.exposeString('label', { description: 'The label of the provider.' }),
  }),
});

/**
 * Lists the properties or groups that the providers of a user's identities set.
 * @param namesOf returns those that a provider sets
 */
function managedBy(
  { identities }: SignInFacts,
  { services }: Context,
  namesOf: (provider: IdentityProvider) => readonly string[],
): Managed[] {
  const own = new Set(identities.map(({ provider }) => provider));
  const all = services.identityProviders
    .filter(({ name }) => own.has(name))
    .flatMap((provider) => namesOf(provider).map((name) => ({ name, label: provider.label })));
  return [...new Map(all.map((each) => [each.name, each])).values()];
}

const LinkableProvider = builder.objectRef<IdentityProvider>('LinkableProvider').implement({
  description: 'An identity provider or directory with which a user can be linked.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name in addresses, such as /sso/NAME/link.' }),
    kind: t.exposeString('kind', { description: 'The kind of provider: oidc or ldap.' }),
    label: t.exposeString('label'),
  }),
});

const UserSignIn = builder.objectRef<SignInFacts>('UserSignIn').implement({
  description: 'How a user signs in.',
  fields: (t) => ({
    hasPassword: t.exposeBoolean('hasPassword', {
      description: 'Whether this server has a password of the user.',
    }),
    hasSecondFactor: t.exposeBoolean('hasSecondFactor', {
      description: 'Whether the user has a second factor.',
    }),
    isLinkable: t.boolean({
      description: 'Whether the user can have identities; false for ADMIN_USERNAME, which stays local.',
      resolve: ({ id }, _, { services: { config } }) => id !== config.ADMIN_USERNAME,
    }),
    lastSignIn: t.string({
      nullable: true,
      description: 'The last sign-in in the audit log, with any kind of credentials; null if it has none.',
      resolve: ({ lastSignInAt }) => lastSignInAt?.toISOString(),
    }),
    identities: t.field({
      type: [Identity],
      description: "The user's identities at identity providers, oldest first.",
      resolve: ({ identities }) => [...identities],
    }),
    linkableProviders: t.field({
      type: [LinkableProvider],
      description: 'The providers of IDENTITY_FILE at which the user has no identity, in its order.',
      resolve: ({ id, identities }, _, { services: { config, identityProviders } }) =>
        id === config.ADMIN_USERNAME
          ? []
          : identityProviders.filter(({ name }) => !identities.some(({ provider }) => provider === name)),
    }),
    managedProperties: t.field({
      type: [ManagedField],
      description: 'The properties that come from identity providers.',
      resolve: (facts, _, context) => managedBy(facts, context, ({ users }) => Object.keys(users.properties)),
    }),
    managedGroups: t.field({
      type: [ManagedField],
      description: 'The groups in which the membership comes from identity providers.',
      resolve: (facts, _, context) => managedBy(facts, context, ({ users }) => managedGroups(users)),
    }),
  }),
});

builder.objectField(User, 'signIn', (t) =>
  t.field({
    type: UserSignIn,
    description: 'How the user signs in; for the user and administrators.',
    resolve: async ({ id }, _, { load, user }) => {
      if (id !== user.id && !user.isAdministrator)
        throw new Forbidden(`Only ${id} or an administrator can see how ${id} signs in.`);
      const facts = await load.signInFacts.load(id);
      if (!facts) throw new NotFound(`user does not exist: ${id}`);
      return facts;
    },
  }),
);

builder.mutationFields((t) => ({
  linkIdentity: t.field({
    type: User,
    description: 'Links a user to an identity at a provider, which then can sign in; for administrators.',
    args: {
      username: t.arg.id({ required: true }),
      provider: t.arg.string({ required: true, description: 'The name of the provider in IDENTITY_FILE.' }),
      subject: t.arg.string({ required: true, description: "The provider's own id of the user." }),
    },
    resolve: async (_, { username, provider, subject }, context) => {
      await linkIdentity(context, username, { provider, subject });
      const user = await context.load.userById.load(username);
      if (!user) throw new NotFound(`user does not exist: ${username}`);
      return user;
    },
  }),
  unlinkIdentity: t.id({
    description:
      'Unlinks an identity and returns its id; for administrators. All credentials of the user end except the password.',
    args: { username: t.arg.id({ required: true }), id: t.arg.id({ required: true }) },
    resolve: (_, { username, id }, context) => unlinkIdentity(context, username, id),
  }),
}));
