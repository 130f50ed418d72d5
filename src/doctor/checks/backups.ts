import { backupState, maxBackupDays } from '../../store/probes/backups.ts';
import { durationText, foundIf, type HealthCheck } from '../check.ts';

/** The age in seconds from which a backup is reported as old. */
const maxAge = 2 * 86_400;

/** Checks that backups are made: by `quire backup`, or by archiving the WAL of PostgreSQL. */
export const backupsCheck: HealthCheck = {
  name: 'backups',
  run: async ({ tables }) => {
    const { lastBackup, isArchiving, isFailing } = await backupState(await tables());
    const age = lastBackup && (Date.now() - lastBackup.getTime()) / 1000;
    const remedy =
      'Run `npx quire backup FILE` every day, and store the files on another machine. If another tool makes backups, nothing needs to be done.';
    return foundIf(
      isArchiving &&
        isFailing && {
          level: 'fault',
          problem: 'PostgreSQL could not archive its WAL at the last attempt.',
          reason: 'The archive cannot be used to restore the latest changes, and the WAL fills the disk.',
          remedy: 'See the log of PostgreSQL, and correct archive_command.',
        },
      !isArchiving &&
        age === undefined && {
          level: 'advice',
          problem: `The log contains no backup of the last ${maxBackupDays} days, and PostgreSQL does not archive its WAL.`,
          reason: 'If the disk is lost, all documents are lost.',
          remedy,
        },
      !isArchiving &&
        age !== undefined &&
        age > maxAge && {
          level: 'advice',
          problem: `The last backup was made ${durationText(age)} ago.`,
          reason: 'If the disk is lost, all changes since then are lost.',
          remedy,
        },
    );
  },
};
