import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The URLs of all scripts that a process has loaded, read from the folder NODE_V8_COVERAGE of that process. */
export async function scriptsIn(coverage: string): Promise<string[]> {
  const files = await readdir(coverage);
  const reports = files.map(async (file) => JSON.parse(await readFile(join(coverage, file), 'utf8')));
  return (await Promise.all(reports)).flatMap(({ result }: { result: Array<{ url: string }> }) =>
    result.map(({ url }) => url),
  );
}
