import pLimit from 'p-limit';
import type { ConnectionApart } from '../../db/driver.ts';
import type { WordAnalysis } from '../../words/atoms.ts';
import { type DocumentPlace, keysOf } from '../documents/document-place.ts';
import { wordsOfDocuments } from './document-words.ts';
import {
  buildEnded,
  nextDocumentsQuery,
  positionQuery,
  sliceQuery,
  storePositionQuery,
} from './next-index.ts';
import { inHalves, setDocumentAside } from './set-aside.ts';
import { addTitleWords } from './title-words.ts';

/** A set of documents whose rows are written by one statement. */
interface Slice {
  readonly documents: readonly DocumentPlace[];
  isWritten: boolean;
}

interface RowWriterSettings {
  readonly textTypes: string;
  readonly analysis: WordAnalysis;
  readonly documentsOfSlice: number;
  readonly onSlice: (documents: number) => void;
}

/**
 * Divides the documents, ordered by key, into slices that several connections can write in parallel. `complete` stores
 * the position up to which all slices have been written without a gap; a build that was stopped is continued there.
 */
function slicesAfter(place: DocumentPlace, size: number) {
  const oneAtATime = pLimit(1);
  const underWay: Slice[] = [];
  let last = place;
  return {
    take: ({ query }: ConnectionApart): Promise<Slice> =>
      oneAtATime(async () => {
        const found = await query(nextDocumentsQuery, [last.repository, last.id, size]);
        const slice = { documents: found, isWritten: false };
        last = slice.documents.at(-1) ?? last;
        if (found.length > 0) underWay.push(slice);
        return slice;
      }),
    complete: async ({ query }: ConnectionApart, slice: Slice): Promise<void> => {
      slice.isWritten = true;
      let end: DocumentPlace | undefined;
      while (underWay[0]?.isWritten) end = underWay.shift()?.documents.at(-1);
      if (!end) return;
      const [stored] = await query(storePositionQuery, [end.repository, end.id]);
      if (!stored?.isUnderWay) throw buildEnded();
    },
  };
}

/**
 * Returns a function that writes the rows of all documents after the stored position. Documents that cannot be indexed
 * are set aside.
 * @returns the function that each connection runs; several connections can run it in parallel
 */
export async function rowWriter(
  { query }: ConnectionApart,
  { textTypes, analysis, documentsOfSlice, onSlice }: RowWriterSettings,
): Promise<(connection: ConnectionApart, signal: AbortSignal) => Promise<void>> {
  const [place] = await query(positionQuery, []);
  if (!place) throw buildEnded();
  const slices = slicesAfter(place, documentsOfSlice);
  return async (connection, signal) => {
    while (!signal.aborted) {
      const slice = await slices.take(connection);
      const { documents } = slice;
      if (documents.length === 0) return;
      let count = 0;
      const write = async (places: readonly DocumentPlace[]): Promise<void> => {
        const keys = keysOf(places);
        const { columns, ofTitles } = await wordsOfDocuments(connection, keys, analysis);
        const [written] = await connection.query(sliceQuery, [textTypes, ...keys, ...columns]);
        await addTitleWords(connection, ofTitles);
        count += written?.count ?? 0;
      };
      await inHalves(documents, write, (place, error) => setDocumentAside(connection, place, error));
      await slices.complete(connection, slice);
      onSlice(count);
    }
  };
}
