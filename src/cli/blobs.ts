import { Command } from 'commander';
import { type BlobStore, openStoreAt } from '../blobs/blob-store.ts';
import { type Moved, moveBlobs } from '../blobs/move-blobs.ts';
import { type BlobAddress, blobAddress, type Config, ConfigError, readConfig } from '../config.ts';
import { readableBytes } from '../import/progress.ts';
import { interruptedCode, interruption, runCommand } from './run-command.ts';

const damagedCode = 2;

const millisecondsBetweenLines = 5_000;

function readCommand(): BlobAddress {
  const command = new Command('npm run blobs --')
    .description('Moves all blobs to another store, and checks their digests. Servers may run meanwhile.')
    .requiredOption('--move-to <address>', 'the other store: folder, or s3://BUCKET/PREFIX')
    .addHelpText('after', '\nThe settings are those of the servers: BLOB_STORE and BLOB_STORE_ALSO.')
    .parse();
  const parsed = blobAddress.safeParse(command.opts<{ moveTo: string }>().moveTo);
  if (!parsed.success)
    throw new ConfigError(parsed.error.issues.map(({ message }) => `--move-to: ${message}`).join('\n'));
  return parsed.data;
}

const isSame = (one: BlobAddress | undefined, other: BlobAddress): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Both stores. @throws ConfigError unless servers with these settings read both. */
async function openBoth(config: Config, address: BlobAddress): Promise<[from: BlobStore, to: BlobStore]> {
  const { BLOB_STORE, BLOB_STORE_ALSO } = config;
  const other = [BLOB_STORE, BLOB_STORE_ALSO].find((each) => !isSame(each, address));
  if (other === undefined || ![BLOB_STORE, BLOB_STORE_ALSO].some((each) => isSame(each, address)))
    throw new ConfigError(
      '--move-to: one of BLOB_STORE and BLOB_STORE_ALSO must be this store, and the other one where blobs are: servers read both then',
    );
  return [await openStoreAt(other, config), await openStoreAt(address, config)];
}

const summaryOf = ({ blobs, bytes }: Pick<Moved, 'blobs' | 'bytes'>): string =>
  `${blobs} blobs of ${readableBytes(bytes)} moved`;

async function main(): Promise<number> {
  const address = readCommand();
  const [from, to] = await openBoth(readConfig(), address);
  const signal = interruption();
  let last = Date.now();
  const moved = await moveBlobs(from, to, {
    signal,
    onProgress: (counts) => {
      if (Date.now() - last < millisecondsBetweenLines) return;
      last = Date.now();
      console.error(summaryOf(counts));
    },
  });
  console.log(`${summaryOf(moved)}.`);
  const lines = moved.damaged.map((digest) => `  ${digest}`);
  if (lines.length > 0) console.error(['Damaged, and left where they are:', ...lines].join('\n'));
  if (signal.aborted) console.error('Interrupted; the next run goes on from here.');
  return signal.aborted ? interruptedCode : lines.length > 0 ? damagedCode : 0;
}

runCommand(main);
