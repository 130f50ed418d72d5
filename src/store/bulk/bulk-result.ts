import { NotFound } from '../../errors.ts';
import type { BlobWithDocument } from '../../loaders/blobs/blob-with-document.ts';
import type { Scope } from '../../scope.ts';
import { bulkActionNamed } from './actions/index.ts';
import { isExport } from './bulk-action.ts';
import type { BulkCommandRow } from './commands.ts';

type Command = Pick<BulkCommandRow, 'id' | 'action' | 'state'>;

/** Whether a command has made a file. */
export const hasBulkResult = ({ action, state }: Omit<Command, 'id'>): boolean =>
  state === 'COMPLETED' && isExport(bulkActionNamed(action));

/** The file of an export that is completed. @throws NotFound */
export async function bulkResult({ db }: Pick<Scope, 'db'>, command: Command): Promise<BlobWithDocument> {
  const action = bulkActionNamed(command.action);
  const isThere = isExport(action) && command.state === 'COMPLETED';
  const file = isThere && (await db.prisma.bulkFile.findFirst({ where: { commandId: command.id } }));
  if (!file) throw new NotFound(`the bulk command ${command.id} has no result`);
  return {
    name: `${command.id}.${action.ending}`,
    mimeType: action.mimeType,
    encoding: 'UTF-8',
    digest: file.digest,
    length: Number(file.length),
  };
}
