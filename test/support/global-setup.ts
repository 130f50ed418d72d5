import { loadModel } from '../../src/model/contributed.ts';
import { hashPassword } from '../../src/store/passwords.ts';
import { layStockContent } from '../../src/store/stock-content.ts';
import { makeTemplate } from './database.ts';

declare global {
  var removeTemplate: (() => Promise<void>) | undefined;
}

/** Lays the stock content once; every test file starts from a copy. */
export default async function globalSetup(): Promise<void> {
  globalThis.removeTemplate = await makeTemplate(async (database) => {
    await database.migrate();
    await layStockContent(database, await loadModel(undefined), {
      repositories: ['default'],
      administrator: { username: 'Administrator', password: 'Administrator' },
      hash: hashPassword,
    });
  });
}
