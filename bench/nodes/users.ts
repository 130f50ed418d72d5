import { authorization } from '../ours.ts';

const password = 'Secret-of-the-bench-1';

export const basic = (user: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** Sends a request as the administrator. @throws Error if the request fails */
export async function administer(url: string, path: string, body: object): Promise<void> {
  const headers = { authorization, 'content-type': 'application/json' };
  const response = await fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
}

/** Creates a user and a folder to which the user can write. @returns the path of the folder */
export async function makeUser(url: string, user: string): Promise<string> {
  const properties = { username: user, password, groups: ['members'] };
  await administer(url, '/user', { 'entity-type': 'user', id: user, properties });
  await administer(url, '/path/', { 'entity-type': 'document', type: 'Folder', name: user });
  const params = { users: [user], permission: 'ReadWrite' };
  await administer(url, '/automation/Document.AddPermission', { input: `/${user}`, params });
  return `/${user}`;
}
