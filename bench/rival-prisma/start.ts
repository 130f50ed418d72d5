import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { execute } from '../postgres.ts';
import { type Running, startRival } from '../processes.ts';
import { contentModel } from './model.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Generates the datamodel file that `@pothos/plugin-prisma` needs. @returns the path of the file */
async function writeDatamodel(folder: string): Promise<string> {
  const [schema, generated] = [join(folder, 'schema.prisma'), join(folder, 'datamodel.ts')];
  const generator = `
generator pothos {
  provider     = "prisma-pothos-types"
  clientOutput = "./client"
  output       = "${generated}"
}
`;
  await writeFile(schema, `${await readFile(at('../../prisma/schema.prisma'), 'utf8')}${generator}`);
  const words = ['prisma', 'generate', '--no-hints', '--generator', 'pothos', '--schema', schema];
  await promisify(execFile)('npx', words, { cwd: at('../..') });
  const { getDatamodel } = (await import(pathToFileURL(generated).href)) as { getDatamodel: () => unknown };
  const file = join(folder, 'datamodel.json');
  await writeFile(file, JSON.stringify(getDatamodel()));
  return file;
}

/**
 * Prepares the simple implementation in a folder.
 * @returns a function that starts it in one of its two forms
 */
export async function preparePlainDesign(
  folder: string,
): Promise<(form: 'yoga' | 'execute', databaseUrl: string, node: string) => Promise<Running>> {
  const DATAMODEL = await writeDatamodel(folder);
  const MODEL = join(folder, 'model.json');
  await writeFile(MODEL, JSON.stringify(contentModel()));
  return async (FORM, DATABASE_URL, node) => {
    // The triggers maintain Quire's search index, which this implementation does not have.
    await execute(DATABASE_URL, 'ALTER TABLE document DISABLE TRIGGER USER');
    const settings = { FORM, DATABASE_URL, DATAMODEL, MODEL };
    return startRival(new URL('server.ts', import.meta.url), settings, node);
  };
}
