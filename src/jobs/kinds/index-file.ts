import { readBlobStart } from '../../blobs/text.ts';
import { textLimit } from '../../converters/texts/text-limit.ts';
import type { Services } from '../../services.ts';
import { wordsOfFile } from '../../store/search/document-words.ts';
import {
  fileWordsJob,
  plainText,
  storeFileWords,
  typeOfFile,
  typesWithText,
} from '../../store/search/file-words.ts';
import type { JobKind } from '../job-runner.ts';
import { unlessStopped } from '../unless-stopped.ts';

/** Extracts the text of a file for the search index. A file that cannot be read gets an empty text. */
export function indexFile({
  database,
  blobs,
  jobConversions: conversions,
  searchIndex,
  wordAnalysis,
}: Services): JobKind {
  const types = typesWithText(conversions.tools);
  const textOf = async (digest: string, signal: AbortSignal): Promise<string | undefined> => {
    const mimeType = await typeOfFile(database, digest, types);
    if (mimeType === undefined) return undefined;
    if ((await blobs.renew(digest)) === undefined) return '';
    const made = await unlessStopped(signal, conversions.of(database, 'text', { digest, mimeType }));
    if (made) return readBlobStart(blobs, made.digest, textLimit);
    return plainText.test(mimeType) ? readBlobStart(blobs, digest, textLimit) : '';
  };
  return {
    name: fileWordsJob,
    maxConcurrent: 2,
    delays: [10, 60, 600],
    run: async (job, signal) => {
      const { digest } = job.payload as { digest: string };
      const text = await textOf(digest, signal);
      const words = text === undefined ? undefined : await wordsOfFile(text, wordAnalysis);
      await database.transaction(60, (client) => storeFileWords(client, job, { digest, words }));
      searchIndex.changed();
      return 1;
    },
  };
}
