import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Returns the URLs of all scripts that a process has loaded, which are read from the process's NODE_V8_COVERAGE folder.
 */
export async function scriptsIn(coverage: string): Promise<string[]> {
  const files = await readdir(coverage);
  const reports = files.map(async (file) => JSON.parse(await readFile(join(coverage, file), 'utf8')));
  return (await Promise.all(reports)).flatMap(({ result }: { result: Array<{ url: string }> }) =>
    result.map(({ url }) => url),
  );
}
