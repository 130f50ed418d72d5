import { MoreHorizontal } from 'lucide-react';
import type { MouseEvent } from 'react';
import { Button } from 'react-aria-components';
import { text } from '../texts/text.ts';
import { opened } from './open.ts';
import { type Actionable, subjectAt } from './subject.ts';

/** The button of a row that opens the menu with the actions of its document. */
export const RowMenu = ({ document }: { readonly document: Pick<Actionable, 'uid' | 'title'> }) => (
  <Button
    className="icon-button row-menu"
    aria-label={text('row.actions', { title: document.title })}
    aria-haspopup="menu"
    onPress={({ target }) => {
      const subject = subjectAt(target);
      const { left, bottom } = target.getBoundingClientRect();
      if (subject) opened.set({ kind: 'menu', subject, x: left, y: bottom });
    }}
  >
    <MoreHorizontal size={16} aria-hidden />
  </Button>
);

/** Opens the menu with the actions of a row where the user has clicked with the right button. */
export function openRowMenu(event: MouseEvent): void {
  const target = event.target as Element;
  if (!target.closest('[role=row][data-key]') || target.closest('.column')) return;
  const subject = subjectAt(target);
  if (!subject) return;
  event.preventDefault();
  // Keys that open the menu have no place, so it opens at the row.
  const { left, bottom } = target.getBoundingClientRect();
  const isByKey = event.clientX === 0 && event.clientY === 0;
  opened.set({
    kind: 'menu',
    subject,
    x: isByKey ? left + 40 : event.clientX,
    y: isByKey ? bottom : event.clientY,
  });
}
