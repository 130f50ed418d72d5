import { type RefObject, useEffect, useRef } from 'react';
import type { Selection } from 'react-aria-components';
import { useNavigate } from 'react-router';
import type { RowFragment } from '../graphql/operations.ts';
import { addressOf } from './address.ts';

interface Rows {
  readonly list: RefObject<HTMLElement | null>;
  readonly entries: readonly RowFragment[];
  readonly selected: Selection;
  readonly onSelect: (selected: Selection) => void;
}

/**
 * Makes two keys on a row do what users expect: Enter opens the document even while rows are selected, and Shift with an
 * arrow begins a selection with the focused row. React Aria would select the row on Enter, and leave out the first one.
 * @returns the handler for changes of the selection
 */
export function useRowKeys({ list, entries, selected, onSelect }: Rows): (changed: Selection) => void {
  const navigate = useNavigate();
  const first = useRef<string>(undefined);
  // React Aria passes no handlers of keys on to the element.
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      first.current = undefined;
      const { target, key, shiftKey, ctrlKey, metaKey, altKey } = event;
      const row = entries.find(({ uid }) => uid === (target as HTMLElement).dataset.key);
      if (!row || ctrlKey || metaKey || altKey) return;
      if (key === 'Enter' && !shiftKey) {
        event.preventDefault();
        event.stopPropagation();
        void navigate(addressOf(row));
      }
      if (shiftKey && key.startsWith('Arrow') && selected !== 'all' && selected.size === 0)
        first.current = row.uid;
    };
    const element = list.current;
    element?.addEventListener('keydown', press, { capture: true });
    return () => element?.removeEventListener('keydown', press, { capture: true });
  });
  return (changed) => {
    const begun = first.current;
    first.current = undefined;
    onSelect(begun === undefined || changed === 'all' ? changed : new Set([...changed, begun]));
  };
}
