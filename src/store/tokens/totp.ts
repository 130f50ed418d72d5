/** The number of seconds for which a code is valid. */
const period = 30;

/** The maximum difference between the clocks of a device and the server, in periods. */
const window = 1;

// Loaded on demand, because many servers have no users with a second factor.
const totpOf = async (secret?: string) => {
  const { Secret, TOTP } = await import('otpauth');
  return new TOTP({ secret: secret === undefined ? new Secret({ size: 20 }) : Secret.fromBase32(secret) });
};

export interface NewTotp {
  /** The secret in Base32, for users who type it. */
  readonly secret: string;
  /** The URI that authenticator apps read from a QR code. */
  readonly uri: string;
}

/** Creates a secret for an authenticator app. */
export async function newTotp(issuer: string, username: string): Promise<NewTotp> {
  const { secret } = await totpOf();
  const { TOTP } = await import('otpauth');
  const uri = new TOTP({ secret, issuer, label: username, period }).toString();
  return { secret: secret.base32, uri };
}

/**
 * Returns the time step to which a code belongs (RFC 6238): the current one or one of its neighbors, since clocks
 * differ. Undefined if the code is wrong.
 */
export async function stepOfCode(secret: string, code: string): Promise<number | undefined> {
  const totp = await totpOf(secret);
  const delta = totp.validate({ token: code, window });
  return delta === null ? undefined : totp.counter() + delta;
}
