import {
  type Cipher,
  createCipheriv,
  createDecipheriv,
  createHmac,
  type Decipher,
  hkdfSync,
  randomBytes,
  randomUUID,
} from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodingSteps, inOneTurn, inTurns, stepBytes } from './event-loop.ts';

/** Cryptography with the keys of this server. Each purpose has its own derived key. */
export interface Secrets {
  /** Derives 32 bytes from the key and the parts (HMAC-SHA-256). */
  derive(purpose: string, ...parts: readonly string[]): Buffer;
  /** Encrypts and authenticates a text (AES-256-GCM). */
  seal(purpose: string, text: string): string;
  /** Decrypts a sealed text. Undefined if it was altered or sealed for another purpose. */
  open(purpose: string, sealed: string): string | undefined;
  /** Like `seal`, but other work gets a turn in between. Encrypting 10 MB at once would block the event loop for 30 ms. */
  sealInTurns(purpose: string, text: string): Promise<string>;
  /** Like `open`, but other work gets a turn in between. */
  openInTurns(purpose: string, sealed: string): Promise<string | undefined>;
  /** JWT_SECRET. Without it no JWTs are accepted. */
  readonly jwt: Uint8Array | undefined;
}

const algorithm = 'aes-256-gcm';
const [ivLength, tagLength] = [12, 16];

/** Encrypts or decrypts in steps. */
function* cipherSteps(cipher: Cipher | Decipher, bytes: Buffer): Generator<void, Buffer> {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += stepBytes) {
    parts.push(cipher.update(bytes.subarray(at, at + stepBytes)));
    yield;
  }
  return Buffer.concat([...parts, cipher.final()]);
}

function* sealingSteps(key: Buffer, text: string): Generator<void, string> {
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv(algorithm, key, iv, { authTagLength: tagLength });
  const encrypted = yield* cipherSteps(cipher, Buffer.from(text));
  return Buffer.concat([iv, encrypted, cipher.getAuthTag()]).toString('base64url');
}

function* openingSteps(key: Buffer, sealed: string): Generator<void, string | undefined> {
  const bytes = Buffer.from(sealed, 'base64url');
  const isComplete = bytes.length >= ivLength + tagLength && bytes.toString('base64url') === sealed;
  if (!isComplete) return undefined;
  yield;
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivLength), {
    authTagLength: tagLength,
  });
  decipher.setAuthTag(bytes.subarray(-tagLength));
  try {
    return yield* decodingSteps(yield* cipherSteps(decipher, bytes.subarray(ivLength, -tagLength)));
  } catch {
    return undefined; // the authentication tag does not match
  }
}

export function createSecrets(tokenKey: string, jwtSecret: string | undefined): Secrets {
  const keys = new Map<string, Buffer>();
  const keyOf = (purpose: string): Buffer => {
    const key = keys.get(purpose) ?? Buffer.from(hkdfSync('sha256', tokenKey, '', `quire ${purpose}`, 32));
    keys.set(purpose, key);
    return key;
  };
  const seal = (purpose: string, text: string) => sealingSteps(keyOf(purpose), text);
  const open = (purpose: string, sealed: string) => openingSteps(keyOf(purpose), sealed);
  return {
    jwt: jwtSecret === undefined ? undefined : Buffer.from(jwtSecret, 'utf8'),
    derive: (purpose, ...parts) =>
      createHmac('sha256', keyOf(purpose)).update(JSON.stringify(parts)).digest(),
    seal: (purpose, text) => inOneTurn(seal(purpose, text)),
    open: (purpose, sealed) => inOneTurn(open(purpose, sealed)),
    sealInTurns: (purpose, text) => inTurns(seal(purpose, text)),
    openInTurns: (purpose, sealed) => inTurns(open(purpose, sealed)),
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
