import { encrypted } from './encrypted.ts';
import { isCompoundFile, readCompoundFile } from './texts/compound-file.ts';
import { readEntry } from './texts/unpacked.ts';
import { readBeginning } from './whole-file.ts';

const zip = '504b0304';
const manifest = /^META-INF\/manifest\.xml$/;
const maxManifest = 10_000_000; // in bytes

/**
 * Checks that a Microsoft Office or OpenDocument file can be read without a password.
 * @throws Error with the message `encryptedFault` if the file is encrypted; other errors if it is damaged
 */
export async function requireUnencrypted(file: string): Promise<void> {
  if (await isCompoundFile(file)) await readCompoundFile(file);
  if ((await readBeginning(file, 4)).toString('hex') !== zip) return;
  const declared = await readEntry(file, [manifest], maxManifest);
  if (declared?.includes('encryption-data')) throw encrypted();
}
