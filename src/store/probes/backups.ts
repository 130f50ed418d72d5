import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';

/** The log entry of a backup. Entries that callers add are about a document, so nobody can claim a backup. */
const entry = {
  repository: '',
  eventId: 'backupCreated',
  category: 'Administration',
  docUuid: null,
} as const;

/** Records that `quire backup` has written a complete backup. */
export async function recordBackup(
  { prisma }: Pick<Client, 'prisma'>,
  {
    principal,
    file,
    startedAt,
  }: { readonly principal: string; readonly file: string; readonly startedAt: Date },
): Promise<void> {
  await prisma.logEntry.create({
    data: { ...entry, principalName: principal, comment: file, eventDate: startedAt },
  });
}

// `archive_mode` is also `on` on a server that has never archived anything.
const query = statement('archiver-state', {
  isArchiving: 'bool',
  isFailing: 'bool',
})`
  SELECT current_setting('archive_mode') <> 'off' AS "isArchiving",
    coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) AS "isFailing"
  FROM pg_stat_archiver`;

/** What is known about backups of the database. */
export interface BackupState {
  /** When the last complete backup by `quire backup` began; undefined if there was none within `maxBackupDays`. */
  readonly lastBackup: Date | undefined;
  /** Whether PostgreSQL archives its WAL, and whether the last attempt failed. */
  readonly isArchiving: boolean;
  readonly isFailing: boolean;
}

/** The number of days of the log that are searched for a backup. */
export const maxBackupDays = 90;

/** Reads when the last backup was made, and whether PostgreSQL archives its WAL. */
export async function backupState(db: Pick<Client, 'prisma' | 'query'>): Promise<BackupState> {
  const last = await db.prisma.logEntry.findFirst({
    where: { ...entry, eventDate: { gt: new Date(Date.now() - maxBackupDays * 86_400_000) } },
    orderBy: { eventDate: 'desc' },
    select: { eventDate: true },
  });
  const [archiver] = await db.query(query, []);
  return {
    lastBackup: last?.eventDate,
    isArchiving: archiver?.isArchiving ?? false,
    isFailing: archiver?.isFailing ?? false,
  };
}
