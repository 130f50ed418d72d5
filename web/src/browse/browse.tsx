import { FolderOpen } from 'lucide-react';
import { useState } from 'react';
import type { Selection } from 'react-aria-components';
import { Navigate, useNavigate, useParams, useSearchParams } from 'react-router';
import { useShownFolder } from '../actions/subject.ts';
import { choosePreference, usePreference } from '../app/preferences.ts';
import { useTitle } from '../app/title.ts';
import { useAnswer } from '../graphql/client.ts';
import { useLive } from '../graphql/live.ts';
import { type FolderQuery, folder } from '../graphql/operations.ts';
import { browseAddress, documentAddress } from '../listing/address.ts';
import { DocumentTable } from '../listing/document-table.tsx';
import { ListTools } from '../listing/list-tools.tsx';
import { useFolderDrops, useRowDrags } from '../listing/moving.ts';
import { rowsOf } from '../listing/selection.ts';
import { SelectionBar } from '../listing/selection-bar.tsx';
import { useSort } from '../listing/sorting.ts';
import { parentPath } from '../listing/target.ts';
import { useMedia } from '../parts/media.ts';
import { Splitter } from '../parts/splitter.tsx';
import { Empty, Failure, Loading, ScreenFailure } from '../parts/states.tsx';
import { totalText } from '../parts/time.tsx';
import { text } from '../texts/text.ts';
import { useChildren } from './children.ts';
import { FolderHead } from './folder-head.tsx';
import { FolderTree } from './folder-tree.tsx';
import { isFolderKey } from './folders.ts';
import { useTop } from './top.ts';
import { mayUpload } from './uploading.ts';

interface ContentProps {
  readonly document: FolderQuery['document'];
  readonly isTrash: boolean;
}

/** Shows the children of a folder. Users can drop files on the list to upload them to the folder. */
function Content({ document, isTrash }: ContentProps) {
  const { path, title, contextParameters } = document;
  const [selected, setSelected] = useState<Selection>(new Set());
  const [sort, setSort] = useSort({ column: 'dc:title', direction: 'ascending' });
  const pages = useChildren(path, sort, isTrash);
  const rows = rowsOf(pages.entries, selected);
  useShownFolder(isTrash ? undefined : document);
  const mayAdd = mayUpload(contextParameters);
  const drags = useRowDrags(pages.entries, mayAdd ? document : undefined);
  return (
    <>
      {pages.error && <Failure error={pages.error} />}
      <ListTools
        hasSelection={rows.length > 0}
        selectionBar={<SelectionBar rows={rows} onClear={() => setSelected(new Set())} />}
      >
        <p role="status" className="hint">
          {!pages.isLoading && text('browse.count', { count: totalText(pages) })}
        </p>
      </ListTools>
      <div className="drop-zone">
        <DocumentTable
          label={title || text('browse.root')}
          pages={pages}
          selected={selected}
          onSelect={setSelected}
          sort={sort}
          onSort={setSort}
          {...(!isTrash && { drags })}
          empty={
            <Empty icon={FolderOpen} {...(!isTrash && mayAdd && { hint: text('browse.emptyHint') })}>
              {text(isTrash ? 'browse.emptyTrash' : 'browse.empty')}
            </Empty>
          }
        />
      </div>
    </>
  );
}

function FolderScreen({ path }: { readonly path: string }) {
  const { data, error } = useAnswer(folder, { path });
  const [address, setAddress] = useSearchParams();
  const isTrash = address.has('trash');
  const setTrash = (isShown: boolean) => setAddress(isShown ? { trash: '' } : {});
  const document = data?.document;
  useLive(document?.path, ({ docPath }) => docPath === path || parentPath(docPath ?? '') === path);
  useTitle(error?.message ?? (document ? document.title || text('browse.root') : text('nav.browse')));
  if (error) return <ScreenFailure error={error} />;
  if (!document) return <Loading />;
  if (!document.facets.includes('Folderish')) return <Navigate to={documentAddress(document.uid)} replace />;
  return (
    <>
      <FolderHead document={document} isTrash={isTrash} onTrash={setTrash} />
      <Content key={`${path} ${isTrash}`} document={document} isTrash={isTrash} />
    </>
  );
}

/** The width of the folder tree in pixels: by default, and its limits. */
const treeWidths = { usual: 232, min: 150, max: 640 };

const treeId = 'folder-tree';

/**
 * Shows the contents of the selected folder and, if the window is wide enough, the folder tree next to it.
 */
export function Browse() {
  const { '*': rest = '' } = useParams();
  const navigate = useNavigate();
  const { top, error } = useTop();
  const hasRoom = useMedia('(min-width: 60rem)');
  const drops = useFolderDrops(isFolderKey);
  const path = rest === '' ? top?.path : `/${rest}`;
  const width = usePreference('tree') ?? treeWidths.usual;
  return (
    <div className="browse">
      {hasRoom && (
        <>
          <aside id={treeId} className="browse-tree" aria-label={text('browse.folders')} style={{ width }}>
            <FolderTree
              label={text('browse.folders')}
              value={path}
              drops={drops}
              onChoose={(chosen) => void navigate(browseAddress(chosen))}
            />
          </aside>
          <Splitter
            label={text('browse.treeWidth')}
            controls={treeId}
            width={width}
            min={treeWidths.min}
            max={treeWidths.max}
            onChange={(chosen) => choosePreference('tree', chosen)}
          />
        </>
      )}
      <div className="browse-content">
        {path ? (
          <FolderScreen key={path} path={path} />
        ) : error ? (
          <ScreenFailure error={error} />
        ) : top === null ? (
          <>
            <h1>{text('nav.browse')}</h1>
            <Empty icon={FolderOpen} hint={text('browse.noFolderHint')}>
              {text('browse.noFolder')}
            </Empty>
          </>
        ) : (
          <Loading />
        )}
      </div>
    </div>
  );
}
