import { FolderOpen } from 'lucide-react';
import { useState } from 'react';
import type { Selection, SortDescriptor } from 'react-aria-components';
import { Navigate, useNavigate, useParams } from 'react-router';
import { useTitle } from '../app/title.ts';
import { useAnswer } from '../graphql/client.ts';
import { children, type FolderQuery, folder, trashedChildren } from '../graphql/operations.ts';
import { usePages } from '../graphql/pages.ts';
import { browseAddress, documentAddress } from '../listing/address.ts';
import { DocumentTable } from '../listing/document-table.tsx';
import { useFolderDrops, useRowDrags } from '../listing/moving.ts';
import { rowsOf } from '../listing/selection.ts';
import { SelectionBar } from '../listing/selection-bar.tsx';
import { useMedia } from '../parts/media.ts';
import { Empty, Failure, Loading, ScreenFailure } from '../parts/states.tsx';
import { text } from '../texts/text.ts';
import { uploadFiles } from '../uploads/uploads.ts';
import { FolderHead } from './folder-head.tsx';
import { FolderTree } from './folder-tree.tsx';
import { isFolderKey } from './folders.ts';
import { useTop } from './top.ts';

const pageSize = 100;

interface ContentProps {
  readonly document: FolderQuery['document'];
  readonly isTrash: boolean;
}

/** The children of a folder; users can drop files on the list. */
function Content({ document, isTrash }: ContentProps) {
  const { path, title, contextParameters } = document;
  const [selected, setSelected] = useState<Selection>(new Set());
  const [sort, setSort] = useState<SortDescriptor>({ column: 'dc:title', direction: 'ascending' });
  const variables = {
    path,
    pageSize,
    sortBy: [String(sort.column)],
    sortOrder: [sort.direction === 'ascending' ? 'asc' : 'desc'],
  };
  const live = usePages(children, variables, (data) => data.document.children, { isEnabled: !isTrash });
  const trashed = usePages(trashedChildren, variables, (data) => data.document.provided, {
    isEnabled: isTrash,
  });
  const pages = isTrash ? trashed : live;
  const mayAdd = contextParameters.permissions.includes('AddChildren');
  const drags = useRowDrags(
    pages.entries,
    mayAdd ? (files, into) => void uploadFiles(into ?? document, files) : undefined,
  );
  return (
    <>
      {pages.error && <Failure error={pages.error} />}
      <SelectionBar
        rows={rowsOf(pages.entries, selected)}
        path={path}
        isTrash={isTrash}
        onClear={() => setSelected(new Set())}
      />
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
            <Empty icon={FolderOpen}>
              {text(isTrash ? 'browse.emptyTrash' : mayAdd ? 'browse.emptyDrop' : 'browse.empty')}
            </Empty>
          }
        />
      </div>
    </>
  );
}

function FolderScreen({ path }: { readonly path: string }) {
  const { data, error } = useAnswer(folder, { path });
  const [isTrash, setTrash] = useState(false);
  const document = data?.document;
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

/** The tree of folders, if the window is wide enough, and the contents of the chosen folder. */
export function Browse() {
  const { '*': rest = '' } = useParams();
  const navigate = useNavigate();
  const top = useTop();
  const hasRoom = useMedia('(min-width: 60rem)');
  const drops = useFolderDrops(isFolderKey);
  const path = rest === '' ? top?.path : `/${rest}`;
  return (
    <div className="browse">
      {hasRoom && (
        <aside className="browse-tree" aria-label={text('browse.folders')}>
          <FolderTree
            label={text('browse.folders')}
            value={path}
            drops={drops}
            onChoose={(chosen) => void navigate(browseAddress(chosen))}
          />
        </aside>
      )}
      <div className="browse-content">{path ? <FolderScreen key={path} path={path} /> : <Loading />}</div>
    </div>
  );
}
