import { prepareDatabaseFolder } from '../db/embedded-folder.ts';

// A step of the build: prepares the database that new data folders are copied from.
await prepareDatabaseFolder(async (folder) => {
  const [{ createDatabase }, { embeddedDriver, openEmbedded }] = await Promise.all([
    import('../db/database.ts'),
    import('../db/embedded.ts'),
  ]);
  const database = createDatabase(embeddedDriver(await openEmbedded({ dataDir: folder })));
  await database.migrate();
  await database.close();
});
