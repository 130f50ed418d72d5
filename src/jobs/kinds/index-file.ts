import type { StoredText } from '../../converters/conversions.ts';
import type { Services } from '../../services.ts';
import {
  fileWordsJob,
  plainText,
  storeFileWords,
  typeOfFile,
  typesWithText,
} from '../../store/search/file-words.ts';
import type { JobKind } from '../job-runner.ts';
import { unlessStopped } from '../unless-stopped.ts';

/** Lists the words of a file for the search index. An unreadable file has no words. */
export function indexFile({
  database,
  blobs,
  jobConversions: conversions,
  searchIndex,
  wordAnalysis: { language },
}: Services): JobKind {
  const types = typesWithText(conversions.tools);

  /** Returns the text of a file; undefined if it has none. */
  const textOf = async (
    digest: string,
    { mimeType, encoding }: { readonly mimeType: string; readonly encoding: string | null },
  ): Promise<StoredText | undefined> => {
    if ((await blobs.renew(digest)) === undefined) return undefined;
    const made = await conversions.of(database, 'text', { digest, mimeType, encoding });
    return made ?? (plainText.test(mimeType) ? { digest, encoding } : undefined);
  };

  /** Returns the words of a file as a tsvector; undefined if no document has the file any more. */
  const wordsOf = async (digest: string): Promise<string | undefined> => {
    const type = await typeOfFile(database, digest, types);
    if (!type) return undefined;
    const text = await textOf(digest, type);
    return text ? conversions.wordsOf(text, language) : '';
  };

  return {
    name: fileWordsJob,
    maxConcurrent: 2,
    delays: [10, 60, 600],
    run: async (job, signal) => {
      const { digest } = job.payload as { digest: string };
      const words = await unlessStopped(signal, wordsOf(digest));
      await database.transaction(60, (client) => storeFileWords(client, job, { digest, words }));
      searchIndex.changed();
      return 1;
    },
  };
}
