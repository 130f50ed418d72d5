import { type KeyboardEvent, useRef } from 'react';
import type { Selection } from 'react-aria-components';
import { useNavigate } from 'react-router';
import type { RowFragment } from '../graphql/operations.ts';
import { addressOf } from './address.ts';

/**
 * Makes two keys on a row do what users expect: Enter opens the document even while rows are selected, and Shift with an
 * arrow begins a selection with the focused row. React Aria would select the row on Enter, and leave out the first one.
 * @returns the handlers for a table or a grid
 */
export function useRowKeys(
  entries: readonly RowFragment[],
  selected: Selection,
  onSelect: (selected: Selection) => void,
) {
  const navigate = useNavigate();
  const first = useRef<string>(undefined);
  const onKeyDownCapture = (event: KeyboardEvent) => {
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
  const onSelectionChange = (changed: Selection) => {
    onSelect(first.current === undefined || changed === 'all' ? changed : new Set([...changed, first.current]));
    first.current = undefined;
  };
  return { onKeyDownCapture, onSelectionChange };
}
