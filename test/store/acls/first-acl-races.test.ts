import { beforeAll, describe, expect, test } from '@jest/globals';
import { userWorkspacesPath } from '../../../src/model/user-workspaces.ts';
import { ofProvider, saveSearch } from '../../rest/search/saved-requests.ts';
import { grant, setAcl } from '../../support/acls.ts';
import { useServer } from '../../support/server.ts';
import { untilWaiting } from '../../support/until-waiting.ts';
import { useUser, useUsers } from '../../support/users.ts';
import { withoutDeadlocks } from '../row-locks/without-deadlocks.ts';

const server = useServer();
const [ada, held] = [useUser(server, 'ada'), useUser(server, 'held')];
useUsers(server, 'eve');
withoutDeadlocks(server);

const run = (db: Pick<typeof server.database, 'query'>, text: string) => db.query({ name: '', text }, []);

beforeAll(async () => {
  await saveSearch(ada, ofProvider()); // makes the folder of the workspaces
  await run(
    server.database,
    `CREATE FUNCTION hold_insert() RETURNS trigger LANGUAGE plpgsql AS
     'BEGIN PERFORM pg_advisory_xact_lock_shared(77); RETURN NULL; END'`,
  );
  await run(
    server.database,
    `CREATE TRIGGER hold AFTER INSERT ON document FOR EACH ROW WHEN (NEW.name = 'held')
     EXECUTE FUNCTION hold_insert()`,
  );
});

/** Changes an ACL while the document `held` is inserted below, and has no ACL yet. */
async function changeAbove(path: string, insert: () => Promise<unknown>): Promise<void> {
  const { both } = await server.database.transaction(30, async (db) => {
    await run(db, 'SELECT FROM pg_advisory_xact_lock(77)');
    const inserted = insert();
    await untilWaiting(server.database, 1);
    const changed = setAcl(server, path, [grant('eve', 'Read')]);
    await untilWaiting(server.database, 2);
    return { both: Promise.all([inserted, changed]) };
  });
  await both;
}

describe('§2.5 an ACL is changed while below a document with an ACL of its own is made', () => {
  test('the first workspace of a user', async () => {
    await changeAbove('/default-domain', () => saveSearch(held, ofProvider()));
  });

  test('a saved search', async () => {
    await changeAbove(userWorkspacesPath, () => saveSearch(ada, ofProvider({ title: 'held' })));
    const { body } = await ada.get('/api/v1/search/saved').expect(200);
    expect(body.entries.map(({ title }: { title: string }) => title)).toContain('held');
  });
});
