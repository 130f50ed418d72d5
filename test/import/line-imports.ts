import { readConfig } from '../../src/config.ts';
import { importLines, type LineCounts, type LineImportOptions } from '../../src/import/jsonl/import-lines.ts';
import type { ModelDefinition } from '../../src/model/definitions.ts';
import { workspaces } from '../support/documents.ts';
import { type TestServer, useServer } from '../support/server.ts';

async function* chunks(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += 1000) yield bytes.subarray(start, start + 1000);
}

export interface LineOutcome extends LineCounts {
  /** The message of the error that ended it. */
  readonly fault: string | undefined;
}

/** Imports lines, which are texts or JSON, or their bytes. */
export type LineImport = (
  lines: ReadonlyArray<string | object> | Buffer,
  options?: LineImportOptions,
) => Promise<LineOutcome>;

const bytesOf = (lines: ReadonlyArray<string | object>): Buffer =>
  Buffer.from(lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'));

/** A server of the test file, and the import of lines into it. */
export function useLineImports(
  settings: Record<string, string> = {},
  contributed?: Partial<ModelDefinition>,
): {
  readonly server: TestServer;
  readonly importing: LineImport;
} {
  const server = useServer(settings, contributed);
  const importing: LineImport = async (lines, options = { skipsExisting: false }) => {
    const { database, blobs, secrets, model } = server;
    const context = {
      config: readConfig({}),
      database,
      blobs,
      secrets,
      model,
      repository: 'default',
      user: 'Administrator',
    };
    const counts: LineCounts = { created: 0, existing: 0, line: 0 };
    const input = chunks(Buffer.isBuffer(lines) ? lines : bytesOf(lines));
    const fault = await importLines(context, input, counts, options).then(
      () => undefined,
      (error: Error) => error.message,
    );
    return { ...counts, fault };
  };
  return { server, importing };
}

let names = 0;

/** The path of a folder of the test's own, and the line that makes it. */
export function folderLine(): { readonly path: string; readonly line: { path: string; type: string } } {
  names += 1;
  const path = `${workspaces}/lines-${names}`;
  return { path, line: { path, type: 'Folder' } };
}
