import { connect, isIP } from 'node:net';
import { type ConnectionOptions, connect as connectSecurely } from 'node:tls';
import type { Client, Entry, SearchOptions } from 'ldapts';
import { AppError, ProviderAway } from '../errors.ts';
import { inTime } from '../event-loop.ts';
import type { LdapProvider } from '../security/identity-settings.ts';

type Library = typeof import('ldapts');

/** A connection to a server, which the account that searches has opened. */
export interface LdapConnection {
  readonly library: Library;
  /** Verifies the password of an entry. The connection then belongs to that entry, until `bindAgain`. */
  verify(dn: string, password: string): Promise<boolean>;
  /** Returns the connection to the account that searches. */
  bindAgain(): Promise<void>;
  /** Sends one search. Referrals to other servers are not followed; `isPartial` tells whether there were any. */
  search(base: string, options: SearchOptions): Promise<{ entries: Entry[]; isPartial: boolean }>;
}

/** The time in milliseconds after a failure in which a server is not tried again. */
const failureLifetime = 5_000;

/** Result codes with which a server asks clients to use another server: busy, unavailable. */
const awayCodes: ReadonlySet<number> = new Set([51, 52]);

/**
 * Result codes with which servers reject the password of an account, or an account that cannot be used: constraint
 * violation, no such object, inappropriate authentication, invalid credentials, insufficient access, unwilling to
 * perform.
 */
const refusalCodes: ReadonlySet<number> = new Set([19, 32, 48, 49, 50, 53]);

/** Asks Active Directory not to return referrals to the other parts of the domain. Other servers ignore it. */
const domainScope = '1.2.840.113556.1.4.1339';

/** TLS verifies the certificate, and that it is that of the host, even if the environment turns this off elsewhere. */
function tlsOptions(server: string, ca: string | undefined): ConnectionOptions {
  const { hostname } = new URL(server);
  return {
    host: hostname,
    ...(isIP(hostname) === 0 && { servername: hostname }),
    ...(ca !== undefined && { ca }),
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
  };
}

/**
 * Lets a client connect only once. After a connection was lost, the client would open another one for the next request,
 * without StartTLS: whoever can cut connections would receive the password.
 */
function once<Connect extends typeof connect | typeof connectSecurely>(connectTo: Connect): Connect {
  let isUsed = false;
  return ((...options: Parameters<Connect>) => {
    if (isUsed) throw new Error('The connection was lost.');
    isUsed = true;
    return (connectTo as (...all: Parameters<Connect>) => unknown)(...options);
  }) as Connect;
}

function connectionOf(
  client: Client,
  library: Library,
  { bindDn = '', bindPassword = '', activeDirectory }: LdapProvider,
): LdapConnection {
  const controls = () => (activeDirectory ? [new library.Control(domainScope, { critical: false })] : []);
  return {
    library,
    verify: async (dn, password) => {
      // A bind without a name or a password is anonymous and always succeeds.
      if (dn === '' || password === '') return false;
      try {
        await client.bind(dn, password);
        return true;
      } catch (error) {
        if (error instanceof library.ResultCodeError && refusalCodes.has(error.code)) return false;
        throw error;
      }
    },
    bindAgain: () => client.bind(bindDn, bindPassword),
    search: async (base, options) => {
      const { searchEntries, searchReferences } = await client.search(base, options, controls());
      return { entries: searchEntries, isPartial: searchReferences.length > 0 };
    },
  };
}

/** Whether an error means that the server cannot be used now, rather than that it has answered. */
const isAway = (error: unknown, { ResultCodeError }: Library): boolean =>
  !(error instanceof ResultCodeError) || awayCodes.has(error.code);

export const directoryAway = ({ label }: Pick<LdapProvider, 'label'>, cause: unknown): ProviderAway =>
  new ProviderAway(`${label} does not respond. Try again later.`, { cause });

/** How long the whole of the work can take; without a limit, each request to the server still has one. */
export type TimeLimit = 'whole' | 'each request';

/** Does some work with the first server of a directory that responds. @throws ProviderAway if none does */
export type WithServer = <T>(
  work: (connection: LdapConnection) => Promise<T>,
  limit?: TimeLimit,
) => Promise<T>;

/**
 * Connects to the servers of a directory. A server that has failed is not tried for some seconds, so that sign-ins
 * neither wait for it each time nor occupy the slots of other requests.
 */
export function createServerAccess(provider: LdapProvider): WithServer {
  const { servers, startTls, ca, timeout: seconds } = provider;
  const timeout = seconds * 1000;
  const retriedFrom = new Map<string, number>();
  const late = (server: string) => `${server} did not answer within ${seconds} s.`;
  const isTried = (server: string): boolean => performance.now() >= (retriedFrom.get(server) ?? 0);

  const open = async (client: Client, library: Library, server: string): Promise<LdapConnection> => {
    if (startTls) await inTime(client.startTLS(tlsOptions(server, ca)), timeout, late(server));
    const connection = connectionOf(client, library, provider);
    try {
      await connection.bindAgain();
    } catch (error) {
      // This is a fault of the settings rather than of the user, and repeating it could block the account.
      throw new Error(`${server} does not accept bindDn: ${(error as Error).message}`, { cause: error });
    }
    return connection;
  };

  return async (work, limit = 'whole') => {
    // Loaded at the first use, so that a server without directories needs neither the time nor the memory.
    const library = await import('ldapts');
    let cause: unknown = new Error(`No server of ${provider.label} has responded in the last seconds.`);
    for (const server of servers.filter(isTried)) {
      const client = new library.Client({
        url: server,
        timeout,
        connectTimeout: timeout,
        createConnection: once(connect),
        ...(server.startsWith('ldaps:') && {
          tlsOptions: tlsOptions(server, ca),
          createSecureConnection: once(connectSecurely),
        }),
      });
      try {
        const working = open(client, library, server).then(work);
        return await (limit === 'whole' ? inTime(working, timeout, late(server)) : working);
      } catch (error) {
        if (error instanceof AppError) throw error;
        if (!isAway(error, library)) throw error;
        retriedFrom.set(server, performance.now() + failureLifetime);
        cause = error;
      } finally {
        void client.unbind().catch(() => {}); // also closes the connection of work that has taken too long
      }
    }
    throw directoryAway(provider, cause);
  };
}
