import { providerState } from '../../auth/provider-state.ts';
import type { Finding, HealthCheck } from '../check.ts';

/** Connects to each identity provider: OpenID Connect providers and LDAP directories. */
export const signOnCheck: HealthCheck = {
  name: 'sign-on',
  opens: {
    identityProviders: {
      reason: 'The server does not start with invalid identity providers.',
      remedy: 'Correct the file in IDENTITY_FILE, or the setting that the message names.',
    },
  },
  run: async ({ identityProviders }) => {
    const providers = await identityProviders();
    const states = await Promise.all(providers.map(providerState));
    return providers.flatMap(({ label, kind }, index): Finding[] => {
      const fault = states[index]?.fault ?? null;
      if (fault === null) return [];
      return [
        {
          level: 'fault',
          problem: `${label} cannot be used: ${fault}`,
          reason: 'Users of this provider cannot sign in.',
          remedy:
            kind === 'oidc'
              ? 'Check its issuer in IDENTITY_FILE, its certificate, and that this machine can reach it.'
              : 'Check its servers, bindDn, bindPassword and ca in IDENTITY_FILE.',
        },
      ];
    });
  },
};
