import { authTokenWriter } from './auth-tokens.ts';
import { oauth2ClientWriter } from './oauth2-clients.ts';
import { oauth2TokenWriter } from './oauth2-tokens.ts';
import { tableWriter } from './table.ts';
import type { EntryWriter } from './writer.ts';

/** The writers of directories whose entries are stored in dedicated tables. */
const writers: Readonly<Record<string, EntryWriter>> = {
  authTokens: authTokenWriter,
  oauth2Clients: oauth2ClientWriter,
  oauth2Tokens: oauth2TokenWriter,
};

/**
 * Returns the writer for a directory.
 * @param directory the name of a directory that `servedDirectory` returned
 */
export const writerOf = (directory: string): EntryWriter =>
  (Object.hasOwn(writers, directory) && writers[directory]) || tableWriter;
