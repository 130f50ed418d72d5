import type { QuireCommand } from '../surroundings.ts';

/** A command as listed by `quire --help`. */
interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /**
   * Loads the module of the command. Resolves with a function that adds the command's arguments, options and action.
   */
  readonly load: () => Promise<(command: QuireCommand) => void>;
}

/**
 * All commands of `quire`, in the order in which the help lists them. Only the requested command is loaded.
 */
export const commands: readonly CommandEntry[] = [
  {
    name: 'serve',
    summary: 'Runs the server until a signal stops it.',
    load: async () => (await import('./serve.ts')).serveCommand,
  },
  {
    name: 'import',
    summary: 'Imports a folder from this computer, or documents from lines of JSON.',
    load: async () => (await import('./import.ts')).importCommand,
  },
  {
    name: 'export',
    summary: 'Exports a document and everything below it to a folder, which can be imported.',
    load: async () => (await import('./export.ts')).exportCommand,
  },
  {
    name: 'user',
    summary: 'Lists, creates and deletes users, and sets their passwords and groups.',
    load: async () => (await import('./user.ts')).userCommand,
  },
  {
    name: 'token',
    summary: 'Prints a JWT for a user, signed with JWT_SECRET: `Authorization: Bearer <JWT>`.',
    load: async () => (await import('./token.ts')).tokenCommand,
  },
  {
    name: 'migrate',
    summary: 'Migrates the tables of the database, as the server does when it starts.',
    load: async () => (await import('./migrate.ts')).migrateCommand,
  },
  {
    name: 'reindex',
    summary: 'Rebuilds the search index, while a running server continues to use the old one.',
    load: async () => (await import('./reindex.ts')).reindexCommand,
  },
  {
    name: 'doctor',
    summary: 'Examines the installation: what is wrong, why it matters and what to do.',
    load: async () => (await import('./doctor.ts')).doctorCommand,
  },
  {
    name: 'check',
    summary: 'Checks the tree, versions, ACLs, blobs and the search index for faults.',
    load: async () => (await import('./check.ts')).checkCommand,
  },
  {
    name: 'blobs',
    summary: 'Moves all blobs to another store and checks their digests. Servers can run at the same time.',
    load: async () => (await import('./blobs.ts')).blobsCommand,
  },
  {
    name: 'backup',
    summary: 'Writes all data to one file: the rows of the database and the blobs to which they refer.',
    load: async () => (await import('./backup.ts')).backupCommand,
  },
  {
    name: 'restore',
    summary: 'Restores a backup to an empty database and the blob store.',
    load: async () => (await import('./restore.ts')).restoreCommand,
  },
  {
    name: 'studio',
    summary: 'Shows the database tables in a browser with Prisma Studio, until you press Ctrl+C.',
    load: async () => (await import('./studio.ts')).studioCommand,
  },
  {
    name: 'create-extension',
    summary: 'Creates a package for a server extension, including a test, in a new folder.',
    load: async () => (await import('./create-extension.ts')).createExtensionCommand,
  },
];
