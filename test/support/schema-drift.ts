import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import * as engine from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';

const prismaFolder = new URL('../../prisma/', import.meta.url);

/** The functions that the schema engine calls. The timers that they set do not keep the process alive. */
function callbacks(): Record<string, unknown> {
  const setTimer = (callback: () => void, milliseconds: number) => setTimeout(callback, milliseconds).unref();
  const timers = Object.keys(engine).filter((name) => name.startsWith('__wbg_setTimeout'));
  return { ...engine, ...Object.fromEntries(timers.map((name) => [name, setTimer])) };
}

/**
 * Loads the schema engine from its npm package, which contains it as WebAssembly. The Prisma CLI would instead download
 * a native binary.
 */
async function load(): Promise<void> {
  const path = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const wasm = await readFile(path.replace(/\.js$/, '.wasm'));
  const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': callbacks() });
  engine.__wbg_set_wasm(instance.exports);
  const start = instance.exports.__wbindgen_start;
  if (typeof start === 'function') start();
}

let loaded: Promise<void> | undefined;

const { CHAR, TEXT } = pg.types.builtins;

/**
 * Creates a driver adapter that lets the schema engine read the tables of a server. Prisma's own adapter does not
 * support the type `"char"`.
 */
export function catalogAdapter(pool: pg.Pool): SqlMigrationAwareDriverAdapterFactory {
  const query = async (config: pg.QueryArrayConfig, values: unknown[]) => {
    const result = await pool.query(config, values);
    for (const field of result.fields) if (field.dataTypeID === CHAR) field.dataTypeID = TEXT;
    // PostgreSQL 18 lists NOT NULL constraints among the constraints, which the schema engine does not expect.
    const kind = result.fields.findIndex(({ name }) => name === 'constraint_type');
    if (kind >= 0) result.rows = result.rows.filter((row) => row[kind] !== 'n');
    return result;
  };
  return new PrismaPg(Object.assign(Object.create(pool), { query }));
}

/** Returns the SQL that would make the tables of a database match `schema.prisma`. */
export async function schemaDrift(adapter: SqlMigrationAwareDriverAdapterFactory): Promise<string> {
  loaded ??= load();
  await loaded;
  const file = new URL('schema.prisma', prismaFolder);
  const [path, content] = [file.pathname, await readFile(file, 'utf8')];
  const bound = bindMigrationAwareSqlAdapterFactory(adapter);
  const schemaEngine = await engine.SchemaEngine.new({ datamodels: [[path, content]] }, () => {}, bound);
  const files = [{ path, content }];
  try {
    const { stdout } = await schemaEngine.diff({
      from: { tag: 'schemaDatasource', files, configDir: prismaFolder.pathname },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    });
    return stdout ?? '';
  } finally {
    schemaEngine.free();
  }
}
