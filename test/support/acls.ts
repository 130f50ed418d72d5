import { askGraphql } from './requests.ts';
import type { TestServer } from './server.ts';

/** An ACE as a test writes it: whom, what, and whatever else. */
export interface GivenAce {
  readonly username: string;
  readonly permission: string;
  readonly granted?: boolean;
  readonly begin?: string | null;
  readonly end?: string | null;
  readonly notify?: boolean;
  readonly comment?: string;
}

/** Makes these ACEs the whole local ACL of a document, or another ACL of it; with none it is gone. */
export async function setAcl(
  { request }: Pick<TestServer, 'request'>,
  path: string,
  aces: readonly GivenAce[],
  acl = 'local',
): Promise<void> {
  const query = `mutation ($path: String!, $acl: String!, $aces: [NewAce!]!) {
    setAcl(path: $path, acl: $acl, aces: $aces) { uid }
  }`;
  await askGraphql(request, query, { path, acl, aces });
}

/** An ACE that grants a permission. */
export const grant = (username: string, permission: string): GivenAce => ({ username, permission });

/** An ACE that denies a permission. */
export const deny = (username: string, permission: string): GivenAce => ({
  username,
  permission,
  granted: false,
});

/** ACEs that let somebody do this alone, and nobody anything else. */
export const only = (username: string, ...permissions: readonly string[]): GivenAce[] => [
  ...permissions.map((permission) => grant(username, permission)),
  deny('Everyone', 'Everything'),
];
