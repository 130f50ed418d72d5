import { prepareDatabaseFolder } from '../db/embedded-folder.ts';

/** A step of the build: prepares the database that new data folders start from, which takes most of a first start. */
await prepareDatabaseFolder(async (folder) => {
  const [{ createDatabase }, { embeddedDriver, openEmbedded }] = await Promise.all([
    import('../db/database.ts'),
    import('../db/embedded.ts'),
  ]);
  const database = createDatabase(embeddedDriver(await openEmbedded({ dataDir: folder })));
  await database.migrate();
  await database.close();
});
// The schema engine leaves a timer of ten seconds: the process is ended, not left to end.
process.exit();
