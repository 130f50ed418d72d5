import { openDirectory } from '../ldap/directory.ts';
import type { IdentityProvider } from '../security/identity-settings.ts';
import { checkOidcProvider } from './oidc/clients.ts';

/** Connects to a provider. @throws an error that explains why the provider cannot be used */
async function connectTo(provider: IdentityProvider): Promise<void> {
  switch (provider.kind) {
    case 'oidc':
      return checkOidcProvider(provider);
    case 'ldap':
      return openDirectory(provider).check();
  }
}

/** Whether a provider responds. */
export interface ProviderState {
  readonly isReachable: boolean;
  /** The reason why the provider cannot be used; null if it can. */
  readonly fault: string | null;
}

const maxFault = 500;

/**
 * Returns the message of an error, followed by the messages of its causes, for example `fetch failed` and
 * `connect ECONNREFUSED 127.0.0.1:443`.
 */
function messagesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  const { message, cause } = error;
  return [message, ...(cause === undefined || cause instanceof Response ? [] : messagesOf(cause))].filter(
    Boolean,
  );
}

/** Checks whether a provider responds now. Cached metadata is not used. */
export async function providerState(provider: IdentityProvider): Promise<ProviderState> {
  try {
    await connectTo(provider);
    return { isReachable: true, fault: null };
  } catch (error) {
    return { isReachable: false, fault: messagesOf(error).join(': ').slice(0, maxFault) };
  }
}
