import { ArrowDown, ArrowUp, Columns3 } from 'lucide-react';
import { useState } from 'react';
import { choosePreference, usePreference } from '../app/preferences.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Checkbox } from '../parts/fields.tsx';
import { text } from '../texts/text.ts';
import { allColumns } from './columns.ts';

const defaults = allColumns.filter(({ rank }) => rank !== undefined).map(({ id }) => id);

/** A dialog in which users choose and order the columns of all lists. Each change takes effect immediately. */
function ColumnDialog({ onClose }: { readonly onClose: () => void }) {
  const chosen = usePreference('columns') ?? defaults;
  // Columns that are not shown keep their places in the dialog while it is open.
  const [order, setOrder] = useState(() => [
    ...chosen,
    ...allColumns.map(({ id }) => id).filter((id) => !chosen.includes(id)),
  ]);
  const columns = order.flatMap((id) => allColumns.find((column) => column.id === id) ?? []);
  const store = (ids: readonly string[], shown: ReadonlySet<string>) =>
    choosePreference(
      'columns',
      ids.filter((id) => shown.has(id)),
    );
  const move = (index: number, by: number) => {
    const ids = columns.map(({ id }) => id);
    const [id = ''] = ids.splice(index, 1);
    ids.splice(index + by, 0, id);
    setOrder(ids);
    store(ids, new Set(chosen));
  };
  const toggle = (id: string, isShown: boolean) => {
    const shown = new Set(chosen);
    if (isShown) shown.add(id);
    else shown.delete(id);
    store(order, shown);
  };
  const reset = () => {
    choosePreference('columns', undefined);
    choosePreference('widths', undefined);
    setOrder(allColumns.map(({ id }) => id));
  };
  return (
    <Dialog title={text('columns')} onClose={onClose}>
      <ol className="rows column-list">
        {columns.map(({ id, label }, index) => (
          <li key={id}>
            <Checkbox
              label={text(label)}
              isSelected={chosen.includes(id)}
              onChange={(isShown) => toggle(id, isShown)}
            />
            <span>
              <IconButton
                label={`${text('columns.up')}: ${text(label)}`}
                icon={ArrowUp}
                isDisabled={index === 0}
                onPress={() => move(index, -1)}
              />
              <IconButton
                label={`${text('columns.down')}: ${text(label)}`}
                icon={ArrowDown}
                isDisabled={index === columns.length - 1}
                onPress={() => move(index, 1)}
              />
            </span>
          </li>
        ))}
      </ol>
      <p className="hint">{text('columns.hint')}</p>
      <footer className="dialog-foot">
        <Button onPress={reset}>{text('columns.reset')}</Button>
        <Button kind="main" onPress={onClose}>
          {text('close')}
        </Button>
      </footer>
    </Dialog>
  );
}

/** A button that opens the choice of columns. */
export function ColumnChoice() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton label={text('columns')} icon={Columns3} onPress={() => setOpen(true)} />
      {isOpen && <ColumnDialog onClose={() => setOpen(false)} />}
    </>
  );
}
