import { useQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { Button, Collection, Tree, TreeItem, TreeItemContent } from 'react-aria-components';
import { directoryEntries } from '../graphql/operations.ts';
import { Failure, Loading } from '../parts/states.tsx';
import { text } from '../texts/text.ts';
import { entryLabel } from '../values/suggestions.ts';
import { readEntries } from './vocabulary-csv.tsx';

interface Item {
  readonly id: string;
  readonly label: string;
  readonly children: readonly Item[];
}

/** An entry whose key is the id with the names of its ancestors, because two vocabularies can have the same ids. */
const Entry = ({ item }: { readonly item: Item }) => (
  <TreeItem id={item.id} textValue={item.label} className="tree-item">
    <TreeItemContent>
      {({ hasChildItems }) => (
        <>
          {hasChildItems ? (
            <Button slot="chevron" className="chevron">
              <ChevronRight size={16} aria-hidden />
            </Button>
          ) : (
            <span className="chevron" />
          )}
          <span className="ellipsis">{item.label}</span>
          <span className="hint">{item.id.split('/').at(-1)}</span>
        </>
      )}
    </TreeItemContent>
    <Collection items={item.children}>{(child) => <Entry item={child} />}</Collection>
  </TreeItem>
);

type Entries = Awaited<ReturnType<typeof readEntries>>;

/** Returns the entries of a vocabulary below those of its parent vocabulary. Entries without a parent come last. */
function asTree(entries: Entries, parents: Entries): readonly Item[] {
  const known = [...entries].map(([id, properties]) => ({
    id,
    parent: String(properties.parent ?? ''),
    label: entryLabel(id, properties),
  }));
  const below = (key: string, isBelow: (parent: string) => boolean): Item[] =>
    known
      .filter(({ parent }) => isBelow(parent))
      .map(({ id, label }) => ({ id: `${key}/${id}`, label, children: [] }));
  const tree = [...parents].map(([id, properties]) => ({
    id,
    label: entryLabel(id, properties),
    children: below(id, (parent) => parent === id),
  }));
  const orphans = below('', (parent) => !parents.has(parent));
  return orphans.length > 0
    ? [...tree, { id: '', label: text('vocabularies.noParent'), children: orphans }]
    : tree;
}

interface VocabularyTreeProps {
  readonly directory: string;
  readonly parent: string;
}

/** Shows the entries of a vocabulary below the entries of its parent vocabulary. */
export function VocabularyTree({ directory, parent }: VocabularyTreeProps) {
  const { data, error } = useQuery({
    queryKey: ['vocabulary tree', directory, parent],
    queryFn: async () =>
      asTree(await readEntries(directory, directoryEntries), await readEntries(parent, directoryEntries)),
  });
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  return (
    <Tree aria-label={directory} className="tree vocabulary-tree" items={data} selectionMode="none">
      {(item) => <Entry item={item} />}
    </Tree>
  );
}
