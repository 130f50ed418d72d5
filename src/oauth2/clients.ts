import type { Client } from '../db/database.ts';
import { Invalid } from '../errors.ts';
import type { OAuth2Client } from '../generated/prisma/client.ts';
import type { Parameters } from './parameters.ts';

/** A client that is enabled, by its client id. */
export const enabledClient = (
  { prisma }: Pick<Client, 'prisma'>,
  clientId: string,
): Promise<OAuth2Client | null> =>
  clientId.includes('\0')
    ? Promise.resolve(null) // PostgreSQL has no text with NUL
    : prisma.oAuth2Client.findFirst({ where: { clientId, enabled: true } });

/** Who asks for access, and where the answer goes. */
export interface Asking {
  readonly client: OAuth2Client;
  readonly redirectUri: string;
  readonly isUriGiven: boolean;
}

/**
 * The client that a request to /authorize is from; until it is known, nothing is sent anywhere.
 * @throws Invalid when it is unknown, or asks for an answer to an address that is not registered, letter for letter.
 */
export async function askingClient(
  db: Pick<Client, 'prisma'>,
  { client_id: clientId, redirect_uri: given }: Parameters,
): Promise<Asking> {
  if (clientId === undefined) throw new Invalid('client_id: is missing');
  const client = await enabledClient(db, clientId);
  if (!client) throw new Invalid(`client_id: there is no client ${clientId}`);
  const [only, ...others] = client.redirectUris;
  if (given === undefined) {
    if (only === undefined || others.length > 0) throw new Invalid('redirect_uri: is missing');
    return { client, redirectUri: only, isUriGiven: false };
  }
  if (!client.redirectUris.includes(given))
    throw new Invalid('redirect_uri: is not registered for this client');
  return { client, redirectUri: given, isUriGiven: true };
}
