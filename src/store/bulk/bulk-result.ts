import { NotFound } from '../../errors.ts';
import type { BlobWithDocument } from '../../loaders/blobs/blob-with-document.ts';
import type { Scope } from '../../scope.ts';
import { bulkActionNamed } from './actions/index.ts';
import { isExport } from './bulk-action.ts';
import type { BulkCommandRow } from './commands.ts';

type Command = Pick<BulkCommandRow, 'id' | 'action' | 'state' | 'parameters'>;

export const hasBulkResult = ({ action, state }: Pick<Command, 'action' | 'state'>): boolean =>
  state === 'COMPLETED' && isExport(bulkActionNamed(action));

/**
 * Returns the file of a completed export.
 * @throws NotFound for any other command
 */
export async function bulkResult({ db }: Pick<Scope, 'db'>, command: Command): Promise<BlobWithDocument> {
  const action = bulkActionNamed(command.action);
  const isAvailable = isExport(action) && command.state === 'COMPLETED';
  const file = isAvailable && (await db.prisma.bulkFile.findFirst({ where: { commandId: command.id } }));
  if (!file)
    throw new NotFound(`The bulk command ${command.id} has no result. Only completed exports have one.`);
  const bytes = { digest: file.digest, length: Number(file.length) };
  return action.isZipped?.(command.parameters)
    ? { name: `${command.id}.zip`, mimeType: 'application/zip', encoding: null, ...bytes }
    : { name: `${command.id}.${action.ending}`, mimeType: action.mimeType, encoding: 'UTF-8', ...bytes };
}
