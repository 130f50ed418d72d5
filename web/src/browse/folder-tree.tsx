import { ChevronRight } from 'lucide-react';
import { createContext, useContext, useState } from 'react';
import {
  Button as AriaButton,
  Collection,
  type Key,
  Tree,
  TreeItem,
  TreeItemContent,
} from 'react-aria-components';
import { DocumentIcon } from '../listing/icon.tsx';
import type { useFolderDrops } from '../listing/moving.ts';
import { Button } from '../parts/button.tsx';
import { text } from '../texts/text.ts';
import { isFolderKey, moreKey, useFolders } from './folders.ts';
import { useTop } from './top.ts';

const folderish = ['Folderish'];

const Expanded = createContext<ReadonlySet<Key>>(new Set());

interface FolderProps {
  readonly uid: string;
  readonly path: string;
  readonly title: string;
  readonly type: string;
  readonly hasChildren: boolean;
}

/** A folder in the tree. Its subfolders are loaded when it is expanded. */
function FolderItem({ uid, path, title, type, hasChildren }: FolderProps) {
  const isOpen = useContext(Expanded).has(path);
  const folders = useFolders(path, isOpen);
  return (
    <TreeItem
      id={path}
      value={{ uid, path, title }}
      textValue={title}
      hasChildItems={hasChildren}
      className="tree-item"
    >
      <TreeItemContent>
        {({ hasChildItems }) => (
          <>
            {hasChildItems ? (
              <AriaButton slot="chevron" className="chevron">
                <ChevronRight size={16} aria-hidden />
              </AriaButton>
            ) : (
              <span className="chevron" />
            )}
            <DocumentIcon type={type} facets={folderish} />
            <span className="ellipsis">{title}</span>
          </>
        )}
      </TreeItemContent>
      <Collection items={folders.entries.map((folder) => ({ ...folder, id: folder.path }))}>
        {(folder) => (
          <FolderItem
            uid={folder.uid}
            path={folder.path}
            title={folder.title}
            type={folder.type}
            hasChildren={folder.contextParameters.hasFolderishChild}
          />
        )}
      </Collection>
      {folders.hasMore && (
        <TreeItem
          id={`${path}${moreKey}`}
          textValue={text('more')}
          onAction={folders.loadMore}
          className="tree-item"
        >
          <TreeItemContent>
            <span className="chevron" />
            <Button kind="quiet" onPress={folders.loadMore} isDisabled={folders.isLoadingMore}>
              {text('more')}
            </Button>
          </TreeItemContent>
        </TreeItem>
      )}
    </TreeItem>
  );
}

/** Returns the paths of a folder and its ancestors, starting with the top folder of the tree. */
function ancestorsOf(path: string, top: string): string[] {
  const segments = path.split('/').filter(Boolean);
  const paths = ['/', ...segments.map((_, index) => `/${segments.slice(0, index + 1).join('/')}`)];
  return paths.filter((each) => top === '/' || each === top || each.startsWith(`${top}/`));
}

interface FolderTreeProps {
  readonly label: string;
  /** The path of the selected folder. */
  readonly value: string | undefined;
  readonly onChoose: (path: string) => void;
  /** The drag-and-drop hooks; if absent, users cannot drop anything on the folders. */
  readonly drops?: ReturnType<typeof useFolderDrops>;
}

export function FolderTree({ label, value, onChoose, drops }: FolderTreeProps) {
  const { top } = useTop();
  const [opened, setOpened] = useState<ReadonlySet<Key>>(new Set());
  const [closed, setClosed] = useState<ReadonlySet<Key>>(new Set());
  if (!top) return null;
  // The ancestors of the selected folder are expanded unless the user has collapsed them.
  const ancestors = [top.path, ...(value ? ancestorsOf(value, top.path).slice(0, -1) : [])];
  const expanded = new Set<Key>([...opened, ...ancestors.filter((path) => !closed.has(path))]);
  return (
    <Expanded value={expanded}>
      <Tree
        aria-label={label}
        className="tree"
        {...(drops && { dragAndDropHooks: drops })}
        selectionMode="single"
        selectionBehavior="replace"
        disallowEmptySelection
        selectedKeys={value ? [value] : []}
        onSelectionChange={(keys) => {
          const [path] = keys;
          if (path !== undefined && isFolderKey(path)) onChoose(String(path));
        }}
        expandedKeys={expanded}
        onExpandedChange={(keys) => {
          setOpened(keys);
          setClosed(new Set(ancestors.filter((path) => !keys.has(path))));
        }}
      >
        <FolderItem
          uid={top.uid}
          path={top.path}
          title={top.title || text('browse.root')}
          type={top.type}
          hasChildren
        />
      </Tree>
    </Expanded>
  );
}
