import { errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose';
import { clockTolerance, type OidcClient } from './clients.ts';

/**
 * The accepted signature algorithms, all of which need a private key that only the provider has. Other algorithms are
 * rejected, because they would allow unsigned tokens, or tokens signed with the client secret or a public key.
 */
const algorithms = ['RS256', 'ES256', 'EdDSA', 'Ed25519'];

/**
 * Verifies the signature, issuer, audience and times of a token that a provider has signed.
 * @returns undefined if the token is not valid. @throws Unavailable if the provider's keys cannot be read
 */
export async function verifyProviderToken(
  { configuration, keys }: OidcClient,
  token: string,
  { audience, requiredClaims }: Required<Pick<JWTVerifyOptions, 'audience' | 'requiredClaims'>>,
): Promise<{ readonly payload: JWTPayload; readonly type: string | undefined } | undefined> {
  const { issuer } = configuration.serverMetadata();
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      algorithms,
      issuer,
      audience,
      clockTolerance,
      requiredClaims,
    });
    return { payload, type: protectedHeader.typ?.toLowerCase().replace(/^application\//, '') };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
