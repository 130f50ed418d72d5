import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { loadModel } from '../model/contributed/contributed.ts';
import type { Model } from '../model/model.ts';
import { setJsonValuesLimit } from '../model/values/json-budget.ts';
import { hashPassword } from '../store/authorities/passwords.ts';
import { createStockContent } from '../store/stock/stock-content.ts';

/**
 * Migrates the database and creates the stock content, as a start of the server does, but does not add an account for a
 * changed ADMIN_USERNAME.
 * @throws ModelError, ConfigError
 */
export async function prepareDatabase(database: Database, config: Config): Promise<Model> {
  setJsonValuesLimit(config.JSON_VALUES_LIMIT);
  const model = await loadModel(config.MODEL_DIR);
  await database.migrate();
  await createStockContent(database, model, {
    repositories: config.REPOSITORIES,
    administrator: { username: config.ADMIN_USERNAME, password: config.ADMIN_PASSWORD },
    hash: hashPassword,
    isAdded: false,
  });
  return model;
}
