import { ConversionFailed, type Conversions } from '../../converters/conversions.ts';
import type { FileFacts } from '../../converters/converter.ts';
import { conversionPath } from '../../converters/index.ts';
import type { Tools } from '../../converters/programs/programs.ts';
import { modelColumns, typed } from '../../db/columns.ts';
import type { Client } from '../../db/database.ts';
import { ReadAgain } from '../../db/errors.ts';
import { statement } from '../../db/statement.ts';
import type {
  ConversionDetails,
  ConvertedFile,
  KeptConversions,
  KeptFile,
  Services,
} from '../../services.ts';

/** A file that could not be converted so often is left alone. */
const mostFailures = 3;

const find = statement('find-rendition', {
  ...modelColumns('Rendition', 'digest', 'mimeType', 'failures'),
  length: 'text?',
  facts: typed<FileFacts | null>('jsonb?'),
})`
  SELECT digest, length::text AS length, mime_type AS "mimeType", failures, facts FROM rendition
  WHERE source_digest = $1 AND converter = $2`;

const keep = statement('keep-rendition')`
  INSERT INTO rendition (source_digest, converter, digest, length, mime_type, facts)
  VALUES ($1, $2, $3, $4::bigint, $5, $6::jsonb)
  ON CONFLICT (source_digest, converter) DO UPDATE
  SET digest = EXCLUDED.digest, length = EXCLUDED.length, mime_type = EXCLUDED.mime_type, facts = EXCLUDED.facts,
    error = NULL`;

const fail = statement('fail-rendition')`
  INSERT INTO rendition (source_digest, converter, failures, error) VALUES ($1, $2, 1, $3)
  ON CONFLICT (source_digest, converter) DO UPDATE
  SET failures = rendition.failures + 1, error = EXCLUDED.error WHERE rendition.digest IS NULL`;

type Asking = Pick<Client, 'query' | 'replica'>;

interface Converting {
  readonly log: Pick<Services['log'], 'error' | 'warn'>;
  readonly conversions: Pick<Conversions, 'convert'>;
  readonly tools: Tools;
}

/** Whether what is made depends on the file alone: then it is kept. */
const isKept = ({ others = [], parameters = {} }: ConversionDetails): boolean =>
  others.length === 0 && Object.keys(parameters).length === 0;

interface Wanted {
  readonly converter: string;
  /** The file that was asked for, and what is converted: the same, or the PDF that was made of it. */
  readonly of: ConvertedFile;
  readonly source: ConvertedFile;
  readonly details: ConversionDetails;
}

async function convertAndKeep(
  { conversions, log }: Converting,
  db: Asking,
  { converter, of, source, details }: Wanted,
): Promise<KeptFile | null> {
  const { others = [], parameters = {} } = details;
  try {
    const stored = ({ digest, mimeType }: ConvertedFile) => ({ digest, mimeType });
    const made = await conversions.convert({
      converter,
      ...stored(source),
      others: others.map(stored),
      parameters,
    });
    const { digest, length, mimeType, facts } = made;
    const values = [of.digest, converter, digest, length, mimeType, facts && JSON.stringify(facts)];
    if (isKept(details)) await db.query(keep, values);
    return { name: null, encoding: null, ...made };
  } catch (error) {
    if (!(error instanceof ConversionFailed)) throw error;
    log.warn({ converter, digest: of.digest, reason: error.message }, 'a file cannot be converted');
    // Of several files another one may be faulty, and so may the parameters.
    if (isKept(details)) await db.query(fail, [of.digest, converter, error.message.slice(0, 1_000)]);
    return null;
  }
}

/**
 * What converters make of files is kept by the file's digest, so that copies and versions share it. What
 * depends on other files or on parameters is made each time, and its bytes are swept a day later.
 */
export function createKeptConversions(services: Converting): KeptConversions {
  const { tools } = services;
  const along: KeptConversions['along'] = async (db, way, of, details = {}) => {
    const { name: converter } = way.length === 1 ? way[0] : way[1];
    const [kept] = await db.query(find, [of.digest, converter]);
    if (isKept(details) && kept?.digest != null && kept.mimeType !== null) {
      const { digest, mimeType, length, facts } = kept;
      return {
        name: null,
        encoding: null,
        mimeType,
        digest,
        length: Number(length),
        ...(facts && { facts }),
      };
    }
    if (kept && kept.failures >= mostFailures) return null;
    if (db.replica) throw new ReadAgain('a replica keeps nothing');
    const source = way.length === 1 ? of : await along(db, [way[0]], of);
    return source && convertAndKeep(services, db, { converter, of, source, details });
  };
  return {
    tools,
    along,
    of: async (db, makes, source, details) => {
      const way = conversionPath(makes, source.mimeType, tools);
      return way ? along(db, way, source, details) : null;
    },
  };
}
