import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The URLs of all scripts that a process has loaded, from the coverage data of Node: its NODE_V8_COVERAGE. */
export async function scriptsIn(coverage: string): Promise<string[]> {
  const files = await readdir(coverage);
  const reports = files.map(async (file) => JSON.parse(await readFile(join(coverage, file), 'utf8')));
  return (await Promise.all(reports)).flatMap(({ result }: { result: Array<{ url: string }> }) =>
    result.map(({ url }) => url),
  );
}
