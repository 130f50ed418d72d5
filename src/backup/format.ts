import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Invalid } from '../errors.ts';

// The names of the entries of a backup, which is a gzipped tar file. The entries are in this order, so that a backup
// can be read in a single pass.
export const manifestName = 'manifest.json';
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
export const partName = (table: string, text: string): string => `tables/${table}/${sha256(text)}.jsonl`;
export const tableOfPart = (name: string): string | undefined => /^tables\/(\w+)\/[^/]*$/.exec(name)?.[1];
export const blobName = (digest: string): string => `blobs/${digest}`;
export const digestOfBlob = (name: string): string | undefined => /^blobs\/([\da-f]{64})$/.exec(name)?.[1];
export const endName = 'end.json';

const formatVersion = 1;
const count = z.number().int().nonnegative();

const manifestSchema = z.object({
  format: z.literal(formatVersion),
  build: z.string(),
  createdAt: z.iso.datetime(),
  migrations: z.array(z.string()).readonly(),
  tables: z
    .array(z.object({ name: z.string(), columns: z.array(z.string()).readonly(), rows: count }))
    .readonly(),
  sequences: z.array(z.object({ name: z.string(), value: z.string(), isCalled: z.boolean() })).readonly(),
  blobs: z.object({ count, bytes: count }),
  /** The content of the file DATA_DIR/token-key; absent if TOKEN_KEY is set. */
  tokenKey: z.string().optional(),
});

export const endSchema = z.object({
  /** The digests of blobs that rows refer to but that were missing or damaged in the blob store. */
  missing: z.array(z.string()),
});

export type Manifest = z.infer<typeof manifestSchema>;

export const newManifest = (contents: Omit<Manifest, 'format'>): Manifest => ({
  format: formatVersion,
  ...contents,
});

/** Parses the manifest of a backup. @throws Invalid if a newer release wrote the backup in a newer format */
export function readManifest(text: string): Manifest {
  const { format } = z.looseObject({ format: count }).parse(JSON.parse(text));
  if (format <= formatVersion) return manifestSchema.parse(JSON.parse(text));
  throw new Invalid(
    `The backup has format ${format}, but this release supports only formats up to ${formatVersion}. Use a newer release.`,
  );
}

export const rowsIn = ({ tables }: Pick<Manifest, 'tables'>): number =>
  tables.reduce((sum, { rows }) => sum + rows, 0);
