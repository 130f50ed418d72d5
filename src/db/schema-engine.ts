import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import * as engine from '@prisma/schema-engine-wasm/schema_engine_bg';
import { type Migration, prismaFolder } from './migration-files.ts';

/** The migrations as the schema engine wants them. */
async function migrationsList(migrations: readonly Migration[]): Promise<engine.MigrationList> {
  const base = new URL('migrations/', prismaFolder);
  const lockfile = 'migration_lock.toml';
  return {
    baseDir: base.pathname,
    lockfile: { path: lockfile, content: await readFile(new URL(lockfile, base), 'utf8') },
    shadowDbInitScript: '',
    migrationDirectories: migrations.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
    })),
  };
}

async function schemaFiles(): Promise<engine.SchemaContainer[]> {
  const file = new URL('schema.prisma', prismaFolder);
  return [{ path: file.pathname, content: await readFile(file, 'utf8') }];
}

/** What the engine calls back; its timers alone must not keep a process alive that has nothing else to do. */
function callbacks(): Record<string, unknown> {
  const setTimer = (callback: () => void, milliseconds: number) => setTimeout(callback, milliseconds).unref();
  const timers = Object.keys(engine).filter((name) => name.startsWith('__wbg_setTimeout'));
  return { ...engine, ...Object.fromEntries(timers.map((name) => [name, setTimer])) };
}

let loaded: Promise<void> | undefined;

/** The engine is the one the Prisma CLI would download as a native binary; this one is in a package. */
function load(): Promise<void> {
  loaded ??= (async () => {
    const path = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
    const wasm = await readFile(path.replace(/\.js$/, '.wasm'));
    const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': callbacks() });
    engine.__wbg_set_wasm(instance.exports);
    const start = instance.exports.__wbindgen_start;
    if (typeof start === 'function') start();
  })();
  return loaded;
}

async function withEngine<T>(
  factory: SqlMigrationAwareDriverAdapterFactory,
  work: (schemaEngine: engine.SchemaEngine) => Promise<T>,
): Promise<T> {
  await load();
  const adapter = bindMigrationAwareSqlAdapterFactory(factory);
  const datamodels = (await schemaFiles()).map(({ path, content }): [string, string] => [path, content]);
  const schemaEngine = await engine.SchemaEngine.new({ datamodels }, () => {}, adapter);
  try {
    return await work(schemaEngine);
  } finally {
    schemaEngine.free();
  }
}

const filters: engine.SchemaFilter = { externalTables: [], externalEnums: [] };

/** Applies those of the migrations that the database lacks, and names them; `_prisma_migrations` keeps the record. */
export async function applyMigrations(
  factory: SqlMigrationAwareDriverAdapterFactory,
  migrations: readonly Migration[],
): Promise<string[]> {
  const list = await migrationsList(migrations);
  const { appliedMigrationNames } = await withEngine(factory, (schemaEngine) =>
    schemaEngine.applyMigrations({ migrationsList: list, filters }),
  );
  return appliedMigrationNames;
}

/** The SQL that would take this database to `schema.prisma`: empty when the migrations agree with it. */
export async function missingSql(factory: SqlMigrationAwareDriverAdapterFactory): Promise<string> {
  const files = await schemaFiles();
  const { stdout } = await withEngine(factory, (schemaEngine) =>
    schemaEngine.diff({
      from: { tag: 'schemaDatasource', files, configDir: prismaFolder.pathname },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: null,
      filters,
    }),
  );
  return stdout ?? '';
}
