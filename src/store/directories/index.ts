import { authTokenWriter } from './auth-tokens.ts';
import { oauth2ClientWriter } from './oauth2-clients.ts';
import { oauth2TokenWriter } from './oauth2-tokens.ts';
import { tableWriter } from './table.ts';
import type { EntryWriter } from './writer.ts';

/** The directories whose entries are not in the table of entries. */
const writers: Readonly<Record<string, EntryWriter>> = {
  authTokens: authTokenWriter,
  oauth2Clients: oauth2ClientWriter,
  oauth2Tokens: oauth2TokenWriter,
};

/** Writes the entries of a directory that is served (`servedDirectory`). */
export const writerOf = (directory: string): EntryWriter =>
  (Object.hasOwn(writers, directory) && writers[directory]) || tableWriter;
