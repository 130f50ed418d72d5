import { askGraphql } from './requests.ts';
import type { TestServer } from './server.ts';

/** The fields of an ACE that a test sets. Absent fields get their default values. */
export interface TestAce {
  readonly username: string;
  readonly permission: string;
  readonly granted?: boolean;
  readonly begin?: string | null;
  readonly end?: string | null;
  readonly notify?: boolean;
  readonly comment?: string;
}

/** Replaces an ACL of a document; by default the local ACL. If there are no ACEs, the ACL is removed. */
export async function setAcl(
  { request }: Pick<TestServer, 'request'>,
  path: string,
  aces: readonly TestAce[],
  acl = 'local',
): Promise<void> {
  const query = `mutation ($path: String!, $acl: String!, $aces: [NewAce!]!) {
    setAcl(path: $path, acl: $acl, aces: $aces) { uid }
  }`;
  await askGraphql(request, query, { path, acl, aces });
}

/** Returns an ACE that grants a permission. */
export const grant = (username: string, permission: string): TestAce => ({ username, permission });

/** Returns an ACE that denies a permission. */
export const deny = (username: string, permission: string): TestAce => ({
  username,
  permission,
  granted: false,
});

/** Returns ACEs that grant a user exactly these permissions and block all inherited ACEs. */
export const only = (username: string, ...permissions: readonly string[]): TestAce[] => [
  ...permissions.map((permission) => grant(username, permission)),
  deny('Everyone', 'Everything'),
];
