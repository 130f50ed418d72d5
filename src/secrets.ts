import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What only this server can do, since only it knows its keys. */
export interface Secrets {
  /** 32 bytes that follow from the parts, and that nobody else can tell; other ones for each purpose. */
  derive(purpose: string, ...parts: readonly string[]): Buffer;
  /** Text that only `open` can read, for the same purpose. */
  seal(purpose: string, text: string): string;
  /** The text that was sealed; nothing when it was not, or for another purpose, or was changed since. */
  open(purpose: string, sealed: string): string | undefined;
  /** JWT_SECRET; without it there are no JWTs. */
  readonly jwt: Uint8Array | undefined;
}

const algorithm = 'aes-256-gcm';
const [ivLength, tagLength] = [12, 16];

/** Keys of their own for every purpose, all from TOKEN_KEY. */
export function createSecrets(tokenKey: string, jwtSecret: string | undefined): Secrets {
  const keys = new Map<string, Buffer>();
  const keyOf = (purpose: string): Buffer => {
    const key = keys.get(purpose) ?? Buffer.from(hkdfSync('sha256', tokenKey, '', `quire ${purpose}`, 32));
    keys.set(purpose, key);
    return key;
  };
  return {
    jwt: jwtSecret === undefined ? undefined : Buffer.from(jwtSecret, 'utf8'),
    derive: (purpose, ...parts) =>
      createHmac('sha256', keyOf(purpose)).update(JSON.stringify(parts)).digest(),
    seal: (purpose, text) => {
      const iv = randomBytes(ivLength);
      const cipher = createCipheriv(algorithm, keyOf(purpose), iv, { authTagLength: tagLength });
      const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return sealed.toString('base64url');
    },
    open: (purpose, sealed) => {
      const bytes = Buffer.from(sealed, 'base64url');
      const isWhole = bytes.length >= ivLength + tagLength && bytes.toString('base64url') === sealed;
      if (!isWhole) return undefined;
      const iv = bytes.subarray(0, ivLength);
      const decipher = createDecipheriv(algorithm, keyOf(purpose), iv, { authTagLength: tagLength });
      decipher.setAuthTag(bytes.subarray(-tagLength));
      try {
        const text = decipher.update(bytes.subarray(ivLength, -tagLength));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch {
        return undefined; // not sealed by us
      }
    },
  };
}

/** The file in DATA_DIR with the key of a server that is given none. */
export const tokenKeyFile = (dataDir: string): string => join(dataDir, 'token-key');

const isTaken = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EEXIST';

/**
 * TOKEN_KEY, or the key of the data folder, which is made the first time and which nobody else may read. Of several
 * processes that start at once, one makes it.
 */
export async function tokenKeyOf(given: string | undefined, dataDir: string): Promise<string> {
  if (given !== undefined) return given;
  const file = tokenKeyFile(dataDir);
  await mkdir(dataDir, { recursive: true });
  const own = `${file}.${randomUUID()}`;
  await writeFile(own, randomBytes(32).toString('base64'), { mode: 0o600, flag: 'wx', flush: true });
  try {
    await link(own, file); // under its name only when it is whole, and only where there is none
  } catch (error) {
    if (!isTaken(error)) throw error;
  } finally {
    await rm(own, { force: true });
  }
  return readFile(file, 'utf8');
}
