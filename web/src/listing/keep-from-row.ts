import type { SyntheticEvent } from 'react';

const stop = (event: SyntheticEvent): void => event.stopPropagation();

/**
 * Event handlers for a link in a row. They keep events from the row, which would otherwise select or open the document.
 */
export const keepFromRow = { onPointerDown: stop, onMouseDown: stop, onPointerUp: stop, onClick: stop };
