import { InvalidArgumentError } from 'commander';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { moveBlobs } from '../../blobs/move-blobs.ts';
import { openStoreAt } from '../../blobs/open-blob-store.ts';
import { type BlobAddress, blobAddress, type Config, ConfigError, readConfig } from '../../config.ts';
import { readableBytes } from '../../import/report.ts';
import { exitCode } from '../exit-codes.ts';
import { showProgress } from '../progress.ts';
import { type CommandInput, interruption, type Output, runs } from '../run-command.ts';
import type { QuireCommand } from '../surroundings.ts';

interface Options {
  readonly moveTo: BlobAddress;
}

function addressOf(text: string): BlobAddress {
  const parsed = blobAddress.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError(parsed.error.issues.map(({ message }) => message).join('\n'));
}

const isSame = (one: BlobAddress | undefined, other: BlobAddress): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/**
 * Opens both stores.
 * @throws ConfigError if servers with these settings do not read from both stores.
 */
async function openBoth(config: Config, address: BlobAddress): Promise<[from: BlobStore, to: BlobStore]> {
  const { BLOB_STORE, BLOB_STORE_ALSO } = config;
  const other = [BLOB_STORE, BLOB_STORE_ALSO].find((each) => !isSame(each, address));
  if (other === undefined || ![BLOB_STORE, BLOB_STORE_ALSO].some((each) => isSame(each, address)))
    throw new ConfigError(
      '--move-to must be either BLOB_STORE or BLOB_STORE_ALSO, and the source must be the other one, so that servers can read from both stores.',
    );
  return [await openStoreAt(other, config), await openStoreAt(address, config)];
}

async function move(
  { result, warn }: Output,
  { options, surroundings }: CommandInput<Options>,
): Promise<number> {
  const [from, to] = await openBoth(readConfig(surroundings.env), options.moveTo);
  const signal = interruption(surroundings);
  const progress = showProgress(surroundings.stderr);
  const moved = await moveBlobs(from, to, {
    signal,
    onProgress: ({ blobs, bytes }) => progress.update(0, 1, `${blobs} blobs of ${readableBytes(bytes)}`),
  }).finally(() => progress.stop());
  const { blobs: count, bytes, damaged } = moved;
  result(`${count} blobs of ${readableBytes(bytes)} moved.`, { blobs: count, bytes, damaged });
  const lines = damaged.map((digest) => `  ${digest}`);
  if (lines.length > 0) warn(['Damaged blobs that were not moved:', ...lines].join('\n'));
  if (signal.aborted) warn('Interrupted; the next run continues from here.');
  return signal.aborted ? exitCode.interrupted : lines.length > 0 ? exitCode.faultsFound : exitCode.done;
}

export function blobsCommand(command: QuireCommand): void {
  command
    .requiredOption('--move-to <address>', 'the target store: folder, or s3://BUCKET/PREFIX', addressOf)
    .addHelpText('after', '\nThe settings are those of the servers: BLOB_STORE and BLOB_STORE_ALSO.');
  runs<Options>(command, move);
}
