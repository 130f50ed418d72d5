import { ConversionFailed, type Conversions } from '../../converters/conversions.ts';
import type { FileFacts, Purpose } from '../../converters/converter.ts';
import { conversionPaths } from '../../converters/index.ts';
import type { Tools } from '../../converters/programs/programs.ts';
import type { Client } from '../../db/database.ts';
import { ReadAgain } from '../../db/errors.ts';
import { statement } from '../../db/statement.ts';
import type {
  ConversionDetails,
  ConversionResult,
  ConvertedFile,
  Services,
  StoredConversions,
} from '../../services.ts';

/** The maximum number of failed attempts to convert a file. */
const maxFailures = 3;

const select = { digest: true, length: true, mimeType: true, failures: true, facts: true } as const;

const store = statement('store-rendition')`
  INSERT INTO rendition (source_digest, converter, digest, length, mime_type, facts)
  VALUES ($1, $2, $3, $4::bigint, $5, $6::jsonb)
  ON CONFLICT (source_digest, converter) DO UPDATE
  SET digest = EXCLUDED.digest, length = EXCLUDED.length, mime_type = EXCLUDED.mime_type, facts = EXCLUDED.facts,
    error = NULL`;

const fail = statement('fail-rendition')`
  INSERT INTO rendition (source_digest, converter, failures, error) VALUES ($1, $2, 1, $3)
  ON CONFLICT (source_digest, converter) DO UPDATE
  SET failures = rendition.failures + 1, error = EXCLUDED.error WHERE rendition.digest IS NULL`;

type Asking = Pick<Client, 'prisma' | 'query' | 'replica'>;

interface Converting {
  readonly log: Pick<Services['log'], 'error' | 'warn'>;
  readonly conversions: Pick<Conversions, 'convert' | 'wordsOf'>;
  readonly tools: Tools;
}

/** Whether a conversion depends only on the file; if so, its result is stored. */
const isStored = ({ others = [], parameters = {} }: ConversionDetails): boolean =>
  others.length === 0 && Object.keys(parameters).length === 0;

/** Whether a conversion has found that the file contains no picture. */
const isMissing = (makes: Purpose, { length }: ConversionResult): boolean =>
  makes === 'thumbnail' && length === 0;

/** A conversion to perform. */
interface ConversionRequest {
  readonly converter: string;
  /**
   * `of` is the file to be converted; `source` is the file that the converter reads, which is either the same file or a
   * PDF made from it.
   */
  readonly of: ConvertedFile;
  readonly source: ConvertedFile;
  readonly details: ConversionDetails;
}

async function convertAndStore(
  { conversions, log }: Converting,
  db: Asking,
  { converter, of, source, details }: ConversionRequest,
): Promise<ConversionResult | null> {
  const { others = [], parameters = {} } = details;
  try {
    const stored = ({ digest, mimeType, encoding = null }: ConvertedFile) => ({ digest, mimeType, encoding });
    const made = await conversions.convert({
      converter,
      ...stored(source),
      others: others.map(stored),
      parameters,
    });
    const { digest, length, mimeType, facts } = made;
    const values = [of.digest, converter, digest, length, mimeType, facts && JSON.stringify(facts)];
    if (isStored(details)) await db.query(store, values);
    return { name: null, encoding: null, ...made };
  } catch (error) {
    if (!(error instanceof ConversionFailed)) throw error;
    log.warn({ converter, digest: of.digest, reason: error.message }, 'A file could not be converted.');
    // The failure is stored only if it is certain that this file caused it, rather than another file or the parameters.
    if (isStored(details)) await db.query(fail, [of.digest, converter, error.message.slice(0, 1_000)]);
    return null;
  }
}

/**
 * Converts files and stores the results under the digest of the file, so that copies and versions share them. Results
 * that depend on other files or on parameters are created anew each time; their bytes are deleted by the sweep a day
 * later.
 */
export function createStoredConversions(services: Converting): StoredConversions {
  const { tools } = services;
  const along: StoredConversions['along'] = async (db, path, of, details = {}) => {
    const { name: converter } = path.length === 1 ? path[0] : path[1];
    const sourceDigest_converter = { sourceDigest: of.digest, converter };
    const stored = await db.prisma.rendition.findUnique({ where: { sourceDigest_converter }, select });
    if (isStored(details) && stored?.digest != null && stored.mimeType !== null) {
      const { digest, mimeType, length, facts } = stored;
      return {
        name: null,
        encoding: null,
        mimeType,
        digest,
        length: Number(length),
        ...(facts !== null && { facts: facts as unknown as FileFacts }),
      };
    }
    if (stored && stored.failures >= maxFailures) return null;
    if (db.replica) throw new ReadAgain('A replica cannot store conversions.');
    const source = path.length === 1 ? of : await along(db, [path[0]], of);
    return source && convertAndStore(services, db, { converter, of, source, details });
  };
  return {
    tools,
    along,
    wordsOf: services.conversions.wordsOf,
    of: async (db, makes, source, details) => {
      for (const path of conversionPaths(makes, source.mimeType, tools)) {
        const made = await along(db, path, source, details);
        if (made && !isMissing(makes, made)) return made;
      }
      return null;
    },
  };
}
