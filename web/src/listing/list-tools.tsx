import type { ReactNode } from 'react';
import { ColumnChoice } from './column-choice.tsx';
import { ViewChoice } from './view-choice.tsx';

interface ListToolsProps {
  /** The content to show while nothing is selected, such as the number of documents. */
  readonly children?: ReactNode;
  /** The bar with the actions for the selected documents. */
  readonly selectionBar: ReactNode;
  readonly hasSelection: boolean;
}

/**
 * The bar above a list. It contains the choice of the view or, if documents are selected, the actions for them. Both
 * have the same height, so that the list does not move when something is selected.
 */
export const ListTools = ({ children, selectionBar, hasSelection }: ListToolsProps) => (
  <div className="list-tools">
    {hasSelection ? (
      selectionBar
    ) : (
      <>
        {children}
        <div className="list-looks">
          <ColumnChoice />
          <ViewChoice />
        </div>
      </>
    )}
  </div>
);
