import { Layers } from 'lucide-react';
import { useState } from 'react';
import type { Selection } from 'react-aria-components';
import { change } from '../graphql/change.ts';
import { send } from '../graphql/client.ts';
import { members, removeFromCollection } from '../graphql/operations.ts';
import { usePages } from '../graphql/pages.ts';
import { DocumentTable } from '../listing/document-table.tsx';
import { rowsOf } from '../listing/selection.ts';
import { Button } from '../parts/button.tsx';
import { Empty, Failure } from '../parts/states.tsx';
import { text } from '../texts/text.ts';
import { may, type PartProps } from './document.ts';

/** The documents in a collection. */
export function Members({ document }: PartProps) {
  const { uid } = document;
  const [selected, setSelected] = useState<Selection>(new Set());
  const pages = usePages(members, { id: uid, pageSize: 50 }, (data) => data.document.members);
  const chosen = rowsOf(pages.entries, selected);
  const remove = () =>
    change(async () => {
      for (const row of chosen) await send(removeFromCollection, { id: row.uid, collection: uid });
      setSelected(new Set());
    }, text('done.removed'));
  return (
    <section className="members" aria-label={text('collections.members')}>
      {pages.error && <Failure error={pages.error} />}
      {chosen.length > 0 && may(document, 'WriteProperties') && (
        <div className="selection-bar">
          <span role="status">{text('selection.count', { count: chosen.length })}</span>
          <Button onPress={remove}>{text('collections.remove')}</Button>
        </div>
      )}
      <DocumentTable
        label={text('collections.members')}
        pages={pages}
        selected={selected}
        onSelect={setSelected}
        empty={
          <Empty icon={Layers} hint={text('collections.hint')}>
            {text('collections.empty')}
          </Empty>
        }
      />
    </section>
  );
}
