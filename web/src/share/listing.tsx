import { FileText, Folder, FolderOpen } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Empty, Failure } from '../parts/states.tsx';
import { sizeText, Time } from '../parts/time.tsx';
import { text } from '../texts/text.ts';
import { ownAddress, type SharedDocument, type SharedPage } from './client.ts';

export const isFolder = ({ facets }: SharedDocument): boolean => facets.includes('Folderish');

/** Returns the file of a document, if it has one. */
export const fileOf = ({ properties }: SharedDocument) =>
  properties['file:content'] as { name: string; length: string; data: string } | null | undefined;

function Row({ document }: { readonly document: SharedDocument }) {
  const file = fileOf(document);
  const thumbnail = isFolder(document) ? undefined : document.contextParameters.thumbnail?.url;
  const Icon = isFolder(document) ? Folder : FileText;
  return (
    <li className="share-row">
      <span className="share-picture" aria-hidden>
        {thumbnail ? <img src={ownAddress(thumbnail)} alt="" loading="lazy" /> : <Icon size={24} />}
      </span>
      <a href={`share/#id=${document.uid}`}>{document.title}</a>
      <span className="share-size">{file ? sizeText(Number(file.length)) : ''}</span>
      <Time at={document.lastModified} />
    </li>
  );
}

interface ListingProps {
  readonly first: SharedPage;
  readonly read: (page: number) => Promise<SharedPage>;
}

/** A list of documents that loads one page at a time. */
export function Listing({ first, read }: ListingProps) {
  const [pages, setPages] = useState<readonly SharedPage[]>([]);
  const [fault, setFault] = useState<Error>();
  const all = [first, ...pages];
  const documents = all.flatMap(({ entries }) => entries);
  if (documents.length === 0) return <Empty icon={FolderOpen}>{text('share.empty')}</Empty>;
  const more = () => read(all.length).then((page) => setPages([...pages, page]), setFault);
  return (
    <>
      <ul className="share-list">
        {documents.map((document) => (
          <Row key={document.uid} document={document} />
        ))}
      </ul>
      {fault && <Failure error={fault} />}
      {all.at(-1)?.isNextPageAvailable && (
        <p className="more">
          <Button onPress={() => void more()}>{text('more')}</Button>
        </p>
      )}
    </>
  );
}
