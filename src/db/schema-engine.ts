import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import * as engine from '@prisma/schema-engine-wasm/schema_engine_bg';

const prismaDir = new URL('../../prisma/', import.meta.url);

/** The SQL folders of `prisma/migrations`, in order, as the schema engine wants them. */
async function migrationsList(): Promise<engine.MigrationList> {
  const base = new URL('migrations/', prismaDir);
  const entries = await readdir(base, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return {
    baseDir: base.pathname,
    lockfile: {
      path: 'migration_lock.toml',
      content: await readFile(new URL('migration_lock.toml', base), 'utf8'),
    },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(
      names.sort().map(async (name) => ({
        path: name,
        migrationFile: {
          path: 'migration.sql',
          content: {
            tag: 'ok' as const,
            value: await readFile(new URL(`${name}/migration.sql`, base), 'utf8'),
          },
        },
      })),
    ),
  };
}

async function schemaFiles(): Promise<engine.SchemaContainer[]> {
  const file = new URL('schema.prisma', prismaDir);
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

/** Applies what the database lacks of `prisma/migrations` and names it; `_prisma_migrations` keeps the record. */
export async function applyMigrations(factory: SqlMigrationAwareDriverAdapterFactory): Promise<string[]> {
  const list = await migrationsList();
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
      from: { tag: 'schemaDatasource', files, configDir: prismaDir.pathname },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: null,
      filters,
    }),
  );
  return stdout ?? '';
}
