import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Cryptography with the keys of this server. Each purpose has its own derived key. */
export interface Secrets {
  /** Derives 32 bytes from the key and the parts (HMAC-SHA-256). */
  derive(purpose: string, ...parts: readonly string[]): Buffer;
  /** Encrypts and authenticates a text (AES-256-GCM). */
  seal(purpose: string, text: string): string;
  /** Decrypts a sealed text. Undefined if it was altered or sealed for another purpose. */
  open(purpose: string, sealed: string): string | undefined;
  /** JWT_SECRET. Without it no JWTs are accepted. */
  readonly jwt: Uint8Array | undefined;
}

const algorithm = 'aes-256-gcm';
const [ivLength, tagLength] = [12, 16];

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
      const isComplete = bytes.length >= ivLength + tagLength && bytes.toString('base64url') === sealed;
      if (!isComplete) return undefined;
      const iv = bytes.subarray(0, ivLength);
      const decipher = createDecipheriv(algorithm, keyOf(purpose), iv, { authTagLength: tagLength });
      decipher.setAuthTag(bytes.subarray(-tagLength));
      try {
        const text = decipher.update(bytes.subarray(ivLength, -tagLength));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch {
        return undefined; // the authentication tag does not match
      }
    },
  };
}

const tokenKeyFile = (dataDir: string): string => join(dataDir, 'token-key');

/** The key in the data folder, if there is one. */
export async function storedTokenKey(dataDir: string): Promise<string | undefined> {
  return readFile(tokenKeyFile(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
}

async function writeTokenKey(dataDir: string, key: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const temporary = `${tokenKeyFile(dataDir)}.${randomUUID()}`;
  await writeFile(temporary, key, { mode: 0o600, flag: 'wx', flush: true });
  return temporary;
}

export const replaceTokenKey = async (dataDir: string, key: string): Promise<void> =>
  rename(await writeTokenKey(dataDir, key), tokenKeyFile(dataDir));

/**
 * TOKEN_KEY, or the key in the data folder. If that does not exist, exactly one of the starting processes generates
 * it.
 */
export async function tokenKeyOf(setting: string | undefined, dataDir: string): Promise<string> {
  const existing = setting ?? (await storedTokenKey(dataDir));
  if (existing !== undefined) return existing;
  const temporary = await writeTokenKey(dataDir, randomBytes(32).toString('base64'));
  const file = tokenKeyFile(dataDir);
  try {
    await link(temporary, file); // a link appears complete, and fails if the file exists
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  return readFile(file, 'utf8');
}
