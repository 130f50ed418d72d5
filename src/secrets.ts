import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { inOneTurn, inTurns } from './event-loop.ts';

/** Cryptographic functions that use this server's keys. A separate key is derived for each purpose. */
export interface Secrets {
  /** Derives 32 bytes from the key, a purpose and further parts (HMAC-SHA-256). */
  derive(purpose: string, ...parts: readonly string[]): Buffer;
  /** Encrypts and authenticates a text (AES-256-GCM). */
  seal(purpose: string, text: string): string;
  /**
   * Decrypts a text that `seal` has encrypted. Returns undefined if it was altered, or was encrypted for another
   * purpose.
   */
  open(purpose: string, sealed: string): string | undefined;
  /**
   * Like `seal`, but yields to the event loop between steps. Encrypting 10 MB at once would block it for 30 ms.
   * @param text a text, or its bytes in UTF-8
   */
  sealInTurns(purpose: string, text: string | Buffer): Promise<string>;
  /** Like `open`, but yields to the event loop between steps. */
  openInTurns(purpose: string, sealed: string): Promise<string | undefined>;
  /** The value of JWT_SECRET. If it is not set, JWTs are not accepted. */
  readonly jwt: Uint8Array | undefined;
}

const algorithm = 'aes-256-gcm';
const [ivLength, tagLength] = [12, 16];

/**
 * The number of bytes of encrypted text per step. It is a multiple of 3, so that Base64 can be written piece by piece.
 */
const pieceBytes = 3 * 2 ** 15;
const pieceCharacters = (pieceBytes / 3) * 4;

function* sealingSteps(key: Buffer, text: string | Buffer): Generator<void, string> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv(algorithm, key, iv, { authTagLength: tagLength });
  let sealed = iv.toString('base64url'); // 12 bytes, so the next piece begins at a new character
  let at = 0;
  for (; at + pieceBytes < bytes.length; at += pieceBytes) {
    sealed += cipher.update(bytes.subarray(at, at + pieceBytes)).toString('base64url');
    yield;
  }
  const last = [cipher.update(bytes.subarray(at)), cipher.final(), cipher.getAuthTag()];
  return sealed + Buffer.concat(last).toString('base64url');
}

/** Decodes Base64. @returns undefined if encoding the bytes again results in a different text */
function decoded(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}

const ivCharacters = (ivLength / 3) * 4;

function* openingSteps(key: Buffer, sealed: string): Generator<void, string | undefined> {
  const iv = decoded(sealed.slice(0, ivCharacters));
  if (iv?.length !== ivLength) return undefined;
  const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: tagLength });
  const decoder = new StringDecoder('utf8');
  let [text, rest] = ['', Buffer.alloc(0)]; // the rest ends with the tag
  for (let at = ivCharacters; at < sealed.length; at += pieceCharacters) {
    const bytes = decoded(sealed.slice(at, at + pieceCharacters));
    if (!bytes) return undefined;
    const read = Buffer.concat([rest, bytes]);
    const end = Math.max(0, read.length - tagLength);
    text += decoder.write(decipher.update(read.subarray(0, end)));
    rest = read.subarray(end);
    yield;
  }
  if (rest.length < tagLength) return undefined;
  try {
    decipher.setAuthTag(rest);
    decipher.final();
    return text + decoder.end();
  } catch {
    return undefined; // The authentication tag does not match.
  }
}

export function createSecrets(tokenKey: string, jwtSecret: string | undefined): Secrets {
  const keys = new Map<string, Buffer>();
  const keyOf = (purpose: string): Buffer => {
    const key = keys.get(purpose) ?? Buffer.from(hkdfSync('sha256', tokenKey, '', `quire ${purpose}`, 32));
    keys.set(purpose, key);
    return key;
  };
  const seal = (purpose: string, text: string | Buffer) => sealingSteps(keyOf(purpose), text);
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

/** Reads the token key from the data folder; undefined if there is none. */
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
 * Returns TOKEN_KEY or, if it is not set, the key in the data folder. If there is no key yet, exactly one of the
 * processes that are starting generates it.
 */
export async function tokenKeyOf(setting: string | undefined, dataDir: string): Promise<string> {
  const existing = setting ?? (await storedTokenKey(dataDir));
  if (existing !== undefined) return existing;
  const temporary = await writeTokenKey(dataDir, randomBytes(32).toString('base64'));
  const file = tokenKeyFile(dataDir);
  try {
    await link(temporary, file); // Creating a link is atomic, and fails if the file already exists.
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  return readFile(file, 'utf8');
}
