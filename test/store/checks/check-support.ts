import type { CheckContext, CheckNote, FoundFault } from '../../../src/store/checks/check.ts';
import { checks } from '../../../src/store/checks/index.ts';
import type { TestServer } from '../../support/server.ts';

type Server = Pick<TestServer, 'database' | 'blobs' | 'model'>;

/** Sends SQL past all triggers and foreign keys, as only a fault of the server or of the disk would. */
export const breakBy = ({ database }: Server, ...texts: string[]): Promise<void> =>
  database.transaction(10, async (db) => {
    for (const text of ['SET LOCAL session_replication_role = replica', ...texts])
      await db.query({ name: '', text }, []);
  });

/** Runs a check of the name. */
export async function runCheck(
  { database, blobs, model }: Server,
  name: string,
  options: Partial<Pick<CheckContext, 'isRepairing' | 'readsBytes' | 'database' | 'signal'>> = {},
): Promise<{ faults: FoundFault[]; note: CheckNote | undefined }> {
  const faults: FoundFault[] = [];
  const check = checks.find((each) => each.name === name);
  const note = await check?.run({
    database,
    blobs,
    model,
    isRepairing: false,
    readsBytes: false,
    signal: new AbortController().signal,
    onProgress: () => {},
    onFault: (fault) => faults.push(fault),
    ...options,
  });
  return { faults, note };
}

/** The faults as `kind path`, in order. */
export const faultsOf = async (server: Server, name: string, options = {}): Promise<string[]> =>
  (await runCheck(server, name, options)).faults
    .map(({ kind, path, isRepaired }) => `${kind} ${path ?? '-'}${isRepaired ? ' repaired' : ''}`)
    .sort();
