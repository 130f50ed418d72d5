import { ChevronLeft, ChevronRight, List } from 'lucide-react';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import type { RowFragment } from '../graphql/operations.ts';
import { IconButton } from '../parts/button.tsx';
import { isForFocused } from '../parts/keys.ts';
import { text } from '../texts/text.ts';
import { documentAddress } from './address.ts';

interface ShownList {
  /** The address of the list. */
  readonly address: string;
  readonly uids: readonly string[];
}

/** The list that was shown last, from which the user opened the document. */
let shownList: ShownList | undefined;

/**
 * Records the rows of the list that is shown, so that a document opened from it can link to its neighbors.
 */
export function noteList(entries: readonly RowFragment[], address: string): void {
  const documents = entries.filter(({ facets }) => !facets.includes('Folderish'));
  shownList = { address, uids: documents.map(({ uid }) => uid) };
}

export const dropList = (): void => {
  shownList = undefined;
};

/**
 * Buttons that open the previous or next document in the list from which the document was opened, or the list itself.
 */
export function Neighbours({ uid }: { readonly uid: string }) {
  const navigate = useNavigate();
  const place = shownList?.uids.indexOf(uid) ?? -1;
  const before = shownList?.uids[place - 1];
  const after = place < 0 ? undefined : shownList?.uids[place + 1];
  useEffect(() => {
    const go = (event: KeyboardEvent) => {
      const target = event.key === 'ArrowLeft' ? before : event.key === 'ArrowRight' ? after : undefined;
      if (target !== undefined && !isForFocused(event))
        void navigate(documentAddress(target), { replace: true });
    };
    addEventListener('keydown', go);
    return () => removeEventListener('keydown', go);
  }, [before, after, navigate]);
  if (!shownList || place < 0) return null;
  const { address, uids } = shownList;
  const open = (target: string | undefined) =>
    target !== undefined && void navigate(documentAddress(target), { replace: true });
  return (
    <div className="neighbours">
      <IconButton label={text('neighbours.list')} icon={List} onPress={() => void navigate(address)} />
      <IconButton
        label={text('neighbours.before')}
        icon={ChevronLeft}
        isDisabled={before === undefined}
        onPress={() => open(before)}
      />
      <span className="hint">{text('neighbours.place', { place: place + 1, all: uids.length })}</span>
      <IconButton
        label={text('neighbours.after')}
        icon={ChevronRight}
        isDisabled={after === undefined}
        onPress={() => open(after)}
      />
    </div>
  );
}
