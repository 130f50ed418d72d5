import type { HealthCheck } from './check.ts';
import { accountsCheck } from './checks/accounts.ts';
import { addressesCheck } from './checks/addresses.ts';
import { backupsCheck } from './checks/backups.ts';
import { blobStoreCheck } from './checks/blob-store.ts';
import { clockCheck } from './checks/clock.ts';
import { convertersCheck } from './checks/converters.ts';
import { databaseCheck } from './checks/database.ts';
import { diskCheck } from './checks/disk.ts';
import { extensionsCheck } from './checks/extensions.ts';
import { jobsCheck } from './checks/jobs.ts';
import { mailCheck } from './checks/mail.ts';
import { modelCheck } from './checks/model.ts';
import { searchIndexCheck } from './checks/search-index.ts';
import { settingsCheck } from './checks/settings.ts';
import { signOnCheck } from './checks/sign-on.ts';
import { tablesCheck } from './checks/tables.ts';

/** All checks of `quire doctor`, in the order in which they are run. */
export const healthChecks: readonly HealthCheck[] = [
  settingsCheck,
  modelCheck,
  databaseCheck,
  tablesCheck,
  accountsCheck,
  diskCheck,
  blobStoreCheck,
  clockCheck,
  addressesCheck,
  mailCheck,
  signOnCheck,
  convertersCheck,
  extensionsCheck,
  searchIndexCheck,
  jobsCheck,
  backupsCheck,
];
