import { MoreHorizontal, X } from 'lucide-react';
import { useState } from 'react';
import { Button as AriaButton, type Selection } from 'react-aria-components';
import { menuEntries } from '../actions/action-layer.tsx';
import { type Offer, runOffer, useOffers } from '../actions/actions.ts';
import { lockOwnersOf, type Subject, useSelectionSubject } from '../actions/subject.ts';
import type { RowFragment } from '../graphql/operations.ts';
import { ActionButton, Button, IconButton } from '../parts/button.tsx';
import { Menu } from '../parts/menu.tsx';
import { countText } from '../parts/time.tsx';
import { useWidth } from '../parts/width.ts';
import { text } from '../texts/text.ts';
import { useNames } from '../values/names.ts';
import type { Found } from './bulk.ts';

interface SelectionBarProps {
  readonly rows: readonly RowFragment[];
  /**
   * The whole result of the list, including documents that are not loaded; absent if the list does not support bulk
   * actions.
   */
  readonly all?: { readonly found: Found; readonly total: string | undefined; readonly selected: Selection };
  readonly onClear: () => void;
}

const OfferButton = ({ offer }: { readonly offer: Offer }) => (
  <ActionButton
    icon={offer.icon}
    kind={offer.isDangerous ? 'danger' : 'plain'}
    reason={offer.reason}
    onPress={() => runOffer(offer)}
  >
    {offer.label}
  </ActionButton>
);

/**
 * Estimated widths in pixels: of a character, of a button without its text, of the button that clears the selection
 * including its space, and of the button that opens the menu. They err on the large side.
 */
const widths = { character: 7.2, padding: 57, clear: 52, menu: 44 };

const textWidth = (label: string): number => label.length * widths.character;

/** The actions that a narrow bar shows first. */
const leading: readonly string[] = ['trash', 'restore', 'move', 'delete'];

/** Divides actions into those that fit into the bar, and the others, which are in a menu. */
function fitting(offers: readonly Offer[], room: number) {
  const rank = ({ id, reason }: Offer) => (reason === undefined ? (leading.includes(id) ? 0 : 1) : 2);
  const ranked = offers.filter(({ isInBar }) => isInBar).toSorted((one, other) => rank(one) - rank(other));
  let left = room - widths.menu;
  const shown = new Set<Offer>();
  for (const offer of ranked) {
    left -= textWidth(offer.label) + widths.padding;
    if (left < 0) break;
    shown.add(offer);
  }
  return {
    shown: offers.filter((offer) => shown.has(offer)),
    others: offers.filter((offer) => !shown.has(offer)),
  };
}

/**
 * Shows the actions for the selected documents: those that are checked, or all results of the list, including documents
 * that are not loaded.
 */
export function SelectionBar({ rows, all, onClear }: SelectionBarProps) {
  // The selection for which the user chose the whole result. If the selection changes, the choice no longer applies.
  const [allOf, setAllOf] = useState<Selection>();
  useNames(lockOwnersOf(rows)); // The reasons against actions contain the names.
  const offersOf = useOffers();
  const [room, bar] = useWidth();
  const isAll = all !== undefined && allOf === all.selected;
  const onDone = () => {
    setAllOf(undefined);
    onClear();
  };
  const subject: Subject = {
    documents: rows,
    ...(isAll && { all: { found: all.found, count: all.total } }),
    onDone,
  };
  useSelectionSubject(subject);
  const chosen = isAll ? allText(all.total) : text('selection.count', { count: rows.length });
  const hasMore = all !== undefined && !isAll && all.total !== countText(rows.length);
  const allLabel =
    all?.total === undefined ? text('bulk.chooseAllFound') : text('bulk.chooseAll', { count: all.total });
  const left = room - widths.clear - textWidth(chosen) - (hasMore ? textWidth(allLabel) + widths.padding : 0);
  const { shown, others } = fitting(offersOf(subject), left);
  return (
    <div ref={bar} className="selection-bar" role="toolbar" aria-label={text('selection')}>
      <IconButton label={text('selection.clear')} icon={X} onPress={onDone} />
      <span role="status">{chosen}</span>
      {hasMore && (
        <Button kind="quiet" onPress={() => setAllOf(all.selected)}>
          {allLabel}
        </Button>
      )}
      {shown.map((offer) => (
        <OfferButton key={offer.id} offer={offer} />
      ))}
      {others.length > 0 && (
        <Menu
          label={text('selection.more')}
          trigger={
            <AriaButton className="icon-button" aria-label={text('selection.more')}>
              <MoreHorizontal size={18} aria-hidden />
            </AriaButton>
          }
          entries={menuEntries(others)}
        />
      )}
    </div>
  );
}

const allText = (total: string | undefined): string =>
  total === undefined ? text('bulk.allFound') : text('bulk.all', { count: total });
