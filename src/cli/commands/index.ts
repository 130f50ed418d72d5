import type { QuireCommand } from '../surroundings.ts';

interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** Loads the file of the command, which adds its arguments, options and work. */
  readonly load: () => Promise<(command: QuireCommand) => void>;
}

/** All commands of `quire`, in the order of its help. Only the one that is called is loaded. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'serve',
    summary: 'Serves, until a signal ends it.',
    load: async () => (await import('./serve.ts')).serveCommand,
  },
  {
    name: 'import',
    summary: 'Imports a folder of this computer, or documents from lines of JSON.',
    load: async () => (await import('./import.ts')).importCommand,
  },
  {
    name: 'export',
    summary: 'Writes a document and everything below into a folder, which an import makes the same tree of.',
    load: async () => (await import('./export.ts')).exportCommand,
  },
  {
    name: 'user',
    summary: 'Lists, creates and deletes users, sets passwords and groups.',
    load: async () => (await import('./user.ts')).userCommand,
  },
  {
    name: 'token',
    summary: 'Prints a JWT for a user, signed with JWT_SECRET: `Authorization: Bearer <JWT>`.',
    load: async () => (await import('./token.ts')).tokenCommand,
  },
  {
    name: 'migrate',
    summary: 'Brings the tables of the database up to date, as the server does at its start.',
    load: async () => (await import('./migrate.ts')).migrateCommand,
  },
  {
    name: 'reindex',
    summary: 'Builds the search index anew, beside the one that a running server reads until then.',
    load: async () => (await import('./reindex.ts')).reindexCommand,
  },
  {
    name: 'check',
    summary: 'Finds what is wrong in the tree, versions, ACLs, blobs and the search index.',
    load: async () => (await import('./check.ts')).checkCommand,
  },
  {
    name: 'blobs',
    summary: 'Moves all blobs to another store, and checks their digests. Servers may run meanwhile.',
    load: async () => (await import('./blobs.ts')).blobsCommand,
  },
  {
    name: 'backup',
    summary: 'Writes all data into one file: the rows of the database, and the blobs they refer to.',
    load: async () => (await import('./backup.ts')).backupCommand,
  },
  {
    name: 'restore',
    summary: 'Reads a backup into an empty database and the blob store.',
    load: async () => (await import('./restore.ts')).restoreCommand,
  },
  {
    name: 'studio',
    summary: 'Shows the tables of the database in a browser, by Prisma Studio, until Ctrl+C ends it.',
    load: async () => (await import('./studio.ts')).studioCommand,
  },
];
