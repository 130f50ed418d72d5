import type { OAuth2Client, OAuth2Token } from '../generated/prisma/client.ts';
import type { Scope } from '../scope.ts';

export type OAuth2ClientRow = OAuth2Client;
export type OAuth2TokenRow = OAuth2Token & { readonly client: OAuth2ClientRow };

/** Every OAuth client, the oldest first. */
export const oauth2Clients =
  ({ db }: Scope): (() => Promise<OAuth2ClientRow[]>) =>
  () =>
    db.prisma.oAuth2Client.findMany({ orderBy: { id: 'asc' } });

/** OAuth tokens with their clients, of one user when he is named; the oldest first. */
export const oauth2Tokens =
  ({ db }: Scope): ((username: string | undefined) => Promise<OAuth2TokenRow[]>) =>
  async (username) => {
    if (username?.includes('\0')) return []; // PostgreSQL has no text with NUL
    return db.prisma.oAuth2Token.findMany({
      ...(username !== undefined && { where: { userId: username } }),
      include: { client: true },
      orderBy: { id: 'asc' },
    });
  };
