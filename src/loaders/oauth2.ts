import type { OAuth2Client, OAuth2Token } from '../generated/prisma/client.ts';
import type { Scope } from '../scope.ts';

export type OAuth2ClientRow = OAuth2Client;
export type OAuth2TokenRow = OAuth2Token & { readonly client: OAuth2ClientRow };

/** Every OAuth client, the oldest first. */
export const oauth2Clients =
  ({ db }: Scope): (() => Promise<OAuth2ClientRow[]>) =>
  () =>
    db.prisma.oAuth2Client.findMany({ orderBy: { id: 'asc' } });

/** Of which user, and of which client: of all, where nothing is said. */
export interface GrantedBy {
  readonly username?: string | undefined;
  readonly clientId?: string | undefined;
}

/** OAuth tokens with their clients; the oldest first. */
export const oauth2Tokens =
  ({ db }: Scope): ((by: GrantedBy) => Promise<OAuth2TokenRow[]>) =>
  async ({ username, clientId }) => {
    if (username?.includes('\0') || clientId?.includes('\0')) return []; // PostgreSQL has no text with NUL
    return db.prisma.oAuth2Token.findMany({
      where: {
        ...(username !== undefined && { userId: username }),
        ...(clientId !== undefined && { client: { clientId } }),
      },
      include: { client: true },
      orderBy: { id: 'asc' },
    });
  };
