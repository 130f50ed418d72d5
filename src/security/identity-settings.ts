import { z } from 'zod';

/**
 * The location of a secret. The settings themselves contain no secrets, so they can be displayed and be stored together
 * with other settings.
 */
export type SecretPlace = { readonly file: string } | { readonly variable: string };

const text = z.string('must be a string').min(1, 'must not be empty');
const name = text.regex(
  /^[a-z][a-z\d-]{0,62}$/,
  'must consist of lower-case letters, digits and "-", and begin with a letter',
);

const secretPlace = z.union(
  [z.strictObject({ file: text }), z.strictObject({ variable: text })],
  'must be {"file": PATH} or {"variable": NAME}, because this file must not contain secrets',
);

const isLoopbackUrl = (url: URL): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);

/** Without TLS, anyone on the network could impersonate the provider. */
const providerUrl = text.refine((value) => {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackUrl(url));
  return isSafe && url.search === '' && url.hash === '';
}, 'must be a URL that begins with https://, without a query');

/** A rule that uses a claim to decide whether a user is a member of a group. */
const groupRule = z.strictObject({
  claim: text,
  /**
   * The accepted values, of which the claim must contain at least one. By default, any value other than false is
   * accepted.
   */
  values: z.array(text).min(1).optional(),
  group: text,
});

/** Rules that determine which user of this server a provider's user becomes. */
const userRules = z.strictObject({
  /** Whether to create users who sign in for the first time. */
  create: z.boolean('must be true or false').default(false),
  /** The claim whose value becomes the id of new users. */
  id: text.default('preferred_username'),
  /** The claims that are written to properties at each sign-in, keyed by property. */
  properties: z.record(text, text).default({}),
  groups: z.array(groupRule).default([]),
  /** Whether an email address is trusted if the provider does not state whether it is verified. */
  trustEmail: z.boolean('must be true or false').default(false),
});

/** The access tokens of the provider that are accepted as bearer tokens. */
const accessTokens = z.strictObject({
  /** The value that `aud` must contain. */
  audience: text,
  /** The accepted values of the header `typ`. */
  types: z
    .array(z.enum(['at+jwt', 'JWT']))
    .min(1)
    .default(['at+jwt']),
  /** Whether tokens that are not JWTs are sent to the provider, which then identifies the user. */
  introspection: z.boolean('must be true or false').default(false),
});

const oidcProvider = z.strictObject({
  kind: z.literal('oidc'),
  /** The name on the sign-in button. */
  label: text.optional(),
  issuer: providerUrl,
  clientId: text,
  /** The client secret; absent for a public client, which is protected only by PKCE. */
  clientSecret: secretPlace.optional(),
  /** How the secret is sent to the provider. */
  clientAuthentication: z.enum(['client_secret_basic', 'client_secret_post']).default('client_secret_basic'),
  scopes: z
    .array(text)
    .default(['openid', 'profile', 'email'])
    .refine((scopes) => scopes.includes('openid'), 'must contain "openid"'),
  /** Whether signing out of this server also ends the session at the provider. */
  logout: z.boolean('must be true or false').default(true),
  /** The number of seconds after which a request to the provider fails. */
  timeout: z.int().min(1).max(60).default(10),
  accessTokens: accessTokens.optional(),
  users: userRules.prefault({}),
});

const isLdapUrl = (value: string): boolean => {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, pathname, search, hash, username } = new URL(value);
  const isServer = hostname !== '' && !hostname.startsWith('[') && ['', '/'].includes(pathname);
  return /^ldaps?:$/.test(protocol) && isServer && `${search}${hash}${username}` === '';
};

/** The placeholder in a filter that is replaced with the user name. */
export const usernamePlace = '{username}';

/** How a user's groups are found. Only groups below the entry `base` are used. */
const ldapGroups = z.strictObject({
  base: text,
  /**
   * - `member`: searches for the groups whose members include the user, then for the groups that contain these groups
   * - `memberOf`: reads the attribute `memberOf` of the user and of the groups
   * - `inChain`: lets Active Directory find all direct and indirect groups with one search
   */
  by: z.enum(['member', 'memberOf', 'inChain']).default('member'),
  /** The attribute of a group that lists its members. */
  member: text.default('member'),
  /** The attribute of groups whose values form the claim "groups". "dn" stands for the distinguished name. */
  name: text.default('cn'),
  /** The maximum depth of nested groups: 1 stands for only the groups that contain the user directly. */
  depth: z.int().min(1).max(20).default(5),
});

const ldapProvider = z.strictObject({
  kind: z.literal('ldap'),
  label: text.optional(),
  /** The servers, in the order in which they are tried. They must have the same content. */
  servers: z
    .array(text.refine(isLdapUrl, 'must be a URL such as ldaps://ldap.example.org, with the name of a host'))
    .min(1, 'must name a server')
    .max(10),
  /** Whether connections to `ldap://` URLs are encrypted with StartTLS before anything else is sent. */
  startTls: z.boolean('must be true or false').default(false),
  /** The file with the certificates of the certificate authority that signed the servers' certificates. */
  ca: text.optional(),
  /** The distinguished name of the account that searches for users. Without it, the search is anonymous. */
  bindDn: text.optional(),
  bindPassword: secretPlace.optional(),
  /** The number of seconds within which a server must respond to all requests of a sign-in. */
  timeout: z.int().min(1).max(60).default(5),
  /** Whether the directory is Active Directory, which uses different attributes and returns referrals. */
  activeDirectory: z.boolean('must be true or false').default(false),
  /** The distinguished name of the entry below which users are searched for. */
  base: text,
  /** The search filter that finds a user by name. */
  filter: text.refine((value) => value.includes(usernamePlace), `must contain ${usernamePlace}`).optional(),
  /** The attribute that permanently identifies a user. */
  subject: text.optional(),
  groups: ldapGroups.optional(),
  /** If set, a job that runs every hour disables users who are no longer in the directory. */
  sync: z
    .strictObject({
      /** Whether the job also creates users who have not signed in yet. */
      create: z.boolean('must be true or false').default(false),
    })
    .optional(),
  users: userRules.omit({ trustEmail: true }).extend({ id: text.optional() }).prefault({}),
});

/** Each kind of provider has different settings. All kinds have `label` and `users`. */
const provider = z.discriminatedUnion('kind', [oidcProvider, ldapProvider], 'must be "oidc" or "ldap"');

const file = z.strictObject({
  $schema: z.string().optional(),
  providers: z.record(name, provider).refine((providers) => Object.keys(providers).length > 0, 'is empty'),
});

export type StoredOidcProvider = z.infer<typeof oidcProvider>;
export type StoredLdapProvider = z.infer<typeof ldapProvider>;
type StoredProvider = z.infer<typeof provider>;

interface Named {
  readonly name: string;
  readonly label: string;
}

/** An OpenID Connect provider from IDENTITY_FILE, with its secret. */
export type OidcProvider = Omit<StoredOidcProvider, 'clientSecret' | 'label'> &
  Named & { readonly clientSecret: string | undefined };

/** A directory from IDENTITY_FILE, with its password, the content of the file `ca`, and all default values. */
export type LdapProvider = Omit<
  StoredLdapProvider,
  'bindPassword' | 'ca' | 'filter' | 'label' | 'subject' | 'users'
> &
  Named & {
    readonly bindPassword: string | undefined;
    readonly ca: string | undefined;
    readonly filter: string;
    readonly subject: string;
    readonly users: UserRules;
  };

export type IdentityProvider = OidcProvider | LdapProvider;

export type UserRules = z.infer<typeof userRules>;

/**
 * The user fields to which property rules cannot write, because they identify the user or are set in other ways.
 */
const unmapped: ReadonlySet<string> = new Set(['username', 'password', 'groups']);

/**
 * The default settings, which differ for Active Directory. Its filter excludes accounts that are disabled there.
 */
const ldapDefaults = {
  standard: {
    filter: '(&(objectClass=inetOrgPerson)(uid={username}))',
    subject: 'entryUUID',
    id: 'uid',
  },
  activeDirectory: {
    filter:
      '(&(objectCategory=person)(objectClass=user)(sAMAccountName={username})(!(userAccountControl:1.2.840.113556.1.4.803:=2)))',
    subject: 'objectGUID',
    id: 'sAMAccountName',
  },
};

/** Adds the default values of settings that are not set for a directory. */
export function withLdapDefaults({ users, ...stored }: StoredLdapProvider) {
  const { id, ...defaults } = ldapDefaults[stored.activeDirectory ? 'activeDirectory' : 'standard'];
  return {
    ...stored,
    filter: stored.filter ?? defaults.filter,
    subject: stored.subject ?? defaults.subject,
    // Email addresses are trusted, because the directory's administrators set them.
    users: { ...users, id: users.id ?? id, trustEmail: true },
  };
}

function ruleFaults(at: string, users: StoredProvider['users'], properties: ReadonlySet<string>): string[] {
  return Object.keys(users.properties).flatMap((property) => {
    if (unmapped.has(property)) return [`${at}.users.properties.${property}: cannot be written by a rule`];
    if (!properties.has(property)) return [`${at}.users.properties.${property}: users have no such property`];
    return [];
  });
}

function ldapFaults(at: string, { servers, startTls, bindDn, bindPassword }: StoredLdapProvider): string[] {
  const faults = servers.flatMap((server, index) => {
    const url = new URL(server);
    const place = `${at}.servers.${index}`;
    if (startTls && url.protocol === 'ldaps:')
      return [`${place}: must begin with ldap://, because startTls encrypts the connection`];
    if (!startTls && url.protocol === 'ldap:' && !isLoopbackUrl(url))
      return [`${place}: must begin with ldaps://, or "startTls" must be true, because passwords are sent`];
    return [];
  });
  // A bind with a name but without a password would be anonymous.
  if ((bindDn === undefined) !== (bindPassword === undefined))
    faults.push(`${at}.bindPassword: must be set if and only if "bindDn" is`);
  return faults;
}

function oidcFaults(
  at: string,
  { accessTokens: tokens, clientId, clientSecret }: StoredOidcProvider,
): string[] {
  const faults: string[] = [];
  // In this case, ID tokens have the same type and audience as access tokens.
  if (tokens?.types.includes('JWT') && tokens.audience === clientId)
    faults.push(
      `${at}.accessTokens.audience: must differ from clientId if the type "JWT" is accepted, because ID tokens have that type and audience`,
    );
  if (tokens?.introspection && clientSecret === undefined)
    faults.push(`${at}.accessTokens.introspection: requires a clientSecret`);
  return faults;
}

const faultText = ({ path, message }: z.core.$ZodIssue): string =>
  path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`;

/** Formats an issue. Unknown keys are reported one by one, each with its location. */
function issueTexts(issue: z.core.$ZodIssue): string[] {
  if (issue.code !== 'unrecognized_keys') return [faultText(issue)];
  return issue.keys.map((key) =>
    faultText({ ...issue, path: [...issue.path, key], message: 'is not a known setting' }),
  );
}

interface ParsedIdentitySettings {
  readonly providers: ReadonlyArray<readonly [name: string, provider: StoredProvider]>;
  /** The faults, each of which begins with its location in the file. */
  readonly faults: readonly string[];
}

/**
 * Parses the content of IDENTITY_FILE.
 * @param userProperties the names of the properties that users have
 */
export function parseIdentitySettings(
  json: string,
  userProperties: ReadonlySet<string>,
): ParsedIdentitySettings {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    return { providers: [], faults: [`is not valid JSON: ${(error as Error).message}`] };
  }
  const { data, error } = file.safeParse(value);
  if (!data) return { providers: [], faults: error.issues.flatMap(issueTexts) };
  const providers = Object.entries(data.providers);
  const faults = providers.flatMap(([providerName, stored]) => {
    const at = `providers.${providerName}`;
    const own = stored.kind === 'oidc' ? oidcFaults(at, stored) : ldapFaults(at, stored);
    return [...ruleFaults(at, stored.users, userProperties), ...own];
  });
  const oidc = providers.flatMap(([providerName, stored]) =>
    stored.kind === 'oidc' ? [[providerName, stored] as const] : [],
  );
  const issuers = oidc.map(([, { issuer }]) => issuer);
  for (const [index, [providerName, { issuer }]] of oidc.entries())
    if (issuers.indexOf(issuer) < index)
      faults.push(`providers.${providerName}.issuer: is also the issuer of another provider`);
  const introspecting = oidc.filter(([, { accessTokens: tokens }]) => tokens?.introspection);
  for (const [providerName] of introspecting.slice(1))
    faults.push(
      `providers.${providerName}.accessTokens.introspection: can be set for only one provider, because tokens would also be sent to the others`,
    );
  return { providers, faults };
}
