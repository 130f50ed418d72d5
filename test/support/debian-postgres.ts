import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from '../../src/embedded/engine.ts';
import { makeEmbeddedFolder } from '../../src/embedded/files.ts';
import { choosePlace, clusterFolder } from '../../src/embedded/place.ts';
import { postgresql } from '../../src/embedded/postgresql.ts';
import { inspectPrograms } from '../../src/embedded/programs.ts';

/** Debian's programs of the oldest supported version of PostgreSQL. */
const programsFolder = '/usr/lib/postgresql/15';

const password = 'of-the-older-one';

export const isDebianPostgresInstalled = existsSync(join(programsFolder, 'bin', 'initdb'));

/** Returns the title of a test, which says why the test is skipped if PostgreSQL 15 is not installed. */
export const titleOnDebianPostgres = (title: string): string =>
  isDebianPostgresInstalled
    ? title
    : `SKIPPED, since there is no PostgreSQL 15 in ${programsFolder}: ${title}`;

/** Creates an empty cluster of PostgreSQL 15 in a data folder, as a release with that version would leave it. */
export function debianCluster(dataDir: string): { readonly cluster: string; readonly engine: Engine } {
  const folder = makeEmbeddedFolder(dataDir);
  writeFileSync(join(folder, 'password'), `${password}\n`, { mode: 0o600 });
  const place = choosePlace(dataDir);
  symlinkSync(programsFolder, join(place.folder, 'programs-15.0'));
  const programs = inspectPrograms(join(place.folder, 'programs-15.0'), place.owner);
  const cluster = clusterFolder(place.folder, 15);
  mkdirSync(cluster, { mode: 0o700 });
  const passwordFile = join(folder, 'initial');
  writeFileSync(passwordFile, password, { mode: 0o644 });
  if (place.owner) chownSync(cluster, place.owner.uid, place.owner.gid);
  const access = ['-U', 'quire', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  const args = ['-D', cluster, ...access, '-E', 'UTF8', '--locale=C.UTF-8'];
  execFileSync(join(programsFolder, 'bin', 'initdb'), args, { ...place.owner, cwd: cluster });
  return { cluster, engine: postgresql(programs, place, password) };
}
