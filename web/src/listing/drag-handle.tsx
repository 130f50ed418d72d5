import { GripVertical } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components';

/** A button for dragging with the keyboard. With a pointer, users drag the row itself. */
export const DragHandle = () => (
  <AriaButton slot="drag" className="drag-handle">
    <GripVertical size={14} aria-hidden />
  </AriaButton>
);
