import type { UserRules } from './identity-settings.ts';

/** The claims that a provider makes about a user, by name. */
export type Claims = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns the value of a claim or of a part of a claim. For example, `realm_access.roles` refers to `{"realm_access":
 * {"roles": …}}`.
 */
function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    if (!isObject(value) || !Object.hasOwn(value, part)) return undefined;
    value = value[part];
  }
  return value;
}

/** Returns whether the provider has verified that the email address belongs to the user. */
function isEmailVerified({ trustEmail }: UserRules, { email_verified: verified }: Claims): boolean {
  return verified === undefined ? trustEmail : verified === true || verified === 'true';
}

const verifiedClaimOf = (rules: UserRules, claims: Claims, name: string, isAddress: boolean): unknown =>
  (isAddress || name === 'email') && !isEmailVerified(rules, claims) ? undefined : claimOf(claims, name);

/** The result of applying a provider's rules to a user's claims. */
export interface MappedUser {
  /**
   * The id for a new user; undefined if the claim is absent or is an email address that has not been verified.
   */
  readonly id: string | undefined;
  /** The values of all properties that the rules write; null if the claim is absent. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** The groups to which the rules add the user. */
  readonly groups: readonly string[];
}

/** Returns the groups to which a provider's rules add members and from which they remove members. */
export const managedGroups = ({ groups }: UserRules): readonly string[] => [
  ...new Set(groups.map(({ group }) => group)),
];

function matches(claims: Claims, { claim, values }: UserRules['groups'][number]): boolean {
  const value = claimOf(claims, claim);
  const found = [value].flat().filter((each) => each !== undefined && each !== null && each !== false);
  return values ? found.some((each) => values.includes(String(each))) : found.length > 0;
}

/** Applies the rules of a provider to the claims of a user. */
export function mapClaims(rules: UserRules, claims: Claims): MappedUser {
  const id = verifiedClaimOf(rules, claims, rules.id, false);
  const properties = Object.entries(rules.properties).map(([property, claim]) => [
    property,
    verifiedClaimOf(rules, claims, claim, property === 'email') ?? null,
  ]);
  const groups = rules.groups.filter((rule) => matches(claims, rule)).map(({ group }) => group);
  return {
    id: typeof id === 'string' && id.trim() !== '' ? id : undefined,
    properties: Object.fromEntries(properties),
    groups: [...new Set(groups)],
  };
}
