import pLimit from 'p-limit';
import type { ConnectionApart } from '../../db/driver.ts';
import type { DocumentPlace } from '../documents/document-place.ts';
import {
  keepPlaceQuery,
  keysOf,
  nextDocumentsQuery,
  overtaken,
  placeQuery,
  sliceQuery,
} from './next-index.ts';
import { inHalves, setDocumentAside } from './set-aside.ts';

interface Slice {
  readonly documents: readonly DocumentPlace[];
  isLaid: boolean;
}

interface Laying {
  readonly textTypes: string;
  readonly documentsOfSlice: number;
  readonly onSlice: (documents: number) => void;
}

/** Slices in the order of the keys, each for one connection; what is laid without a gap is kept. */
function slicesAfter(place: DocumentPlace, size: number) {
  const oneAtATime = pLimit(1);
  const underWay: Slice[] = [];
  let last = place;
  return {
    take: ({ query }: ConnectionApart): Promise<Slice> =>
      oneAtATime(async () => {
        const found = await query(nextDocumentsQuery, [last.repository, last.id, size]);
        const slice = { documents: found, isLaid: false };
        last = slice.documents.at(-1) ?? last;
        if (found.length > 0) underWay.push(slice);
        return slice;
      }),
    keep: async ({ query }: ConnectionApart, slice: Slice): Promise<void> => {
      slice.isLaid = true;
      let end: DocumentPlace | undefined;
      while (underWay[0]?.isLaid) end = underWay.shift()?.documents.at(-1);
      if (!end) return;
      const [kept] = await query(keepPlaceQuery, [end.repository, end.id]);
      if (!kept?.isUnderWay) throw overtaken();
    },
  };
}

/**
 * Lays the rows of all documents after the kept place; those that cannot be indexed are set aside.
 * @returns what each of some connections, which work at once, is to do.
 */
export async function layingRows(
  { query }: ConnectionApart,
  { textTypes, documentsOfSlice, onSlice }: Laying,
): Promise<(connection: ConnectionApart, signal: AbortSignal) => Promise<void>> {
  const [place] = await query(placeQuery, []);
  if (!place) throw overtaken();
  const slices = slicesAfter(place, documentsOfSlice);
  return async (connection, signal) => {
    while (!signal.aborted) {
      const slice = await slices.take(connection);
      const { documents } = slice;
      if (documents.length === 0) return;
      let count = 0;
      const lay = async (places: readonly DocumentPlace[]): Promise<void> => {
        const [laid] = await connection.query(sliceQuery, [textTypes, ...keysOf(places)]);
        count += laid?.count ?? 0;
      };
      await inHalves(documents, lay, (place, error) => setDocumentAside(connection, place, error));
      await slices.keep(connection, slice);
      onSlice(count);
    }
  };
}
