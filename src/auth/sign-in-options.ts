import type { Services } from '../services.ts';
import { ssoPath } from './oidc/flow-cookies.ts';

/** An identity provider that sign-in pages offer. */
interface ProviderOption {
  readonly name: string;
  readonly label: string;
  /** The path at which a sign-in with the provider starts. */
  readonly address: string;
}

/** The ways in which users can sign in. */
export interface SignInOptions {
  /** Whether AUTH_CHAIN accepts passwords. */
  readonly passwords: boolean;
  readonly providers: readonly ProviderOption[];
}

/**
 * Returns the options that sign-in pages offer. Directories are not listed, because their users enter a name and a
 * password, like local users.
 */
export const signInOptions = ({
  config: { AUTH_CHAIN, CONTEXT_PATH },
  identityProviders,
}: Pick<Services, 'config' | 'identityProviders'>): SignInOptions => ({
  passwords: AUTH_CHAIN.includes('basic'),
  providers: identityProviders
    .filter(({ kind }) => kind === 'oidc')
    .map(({ name, label }) => ({ name, label, address: `${CONTEXT_PATH}${ssoPath}/${name}` })),
});
