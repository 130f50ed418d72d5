import { FileQuestion } from 'lucide-react';
import { useState } from 'react';
import { FileLink, ownAddress } from '../form/shown-value.tsx';
import { Empty } from '../parts/states.tsx';
import { text } from '../texts/text.ts';
import { type PartProps, valueAt } from './document.ts';

interface File {
  readonly name?: string | null;
  readonly 'mime-type'?: string | null;
  readonly data?: string;
}

function NoPreview({ file }: { readonly file: File | null | undefined }) {
  if (!file?.data) return <Empty icon={FileQuestion}>{text('document.noPreview')}</Empty>;
  return (
    <Empty icon={FileQuestion}>
      {text('document.noPreviewOfFile', { type: file['mime-type'] ?? '' })} <FileLink value={file} />
    </Empty>
  );
}

/** To be shown: it is no download, and comes from this server, which the policy of the page asks for. */
function shownAddress(url: string): string {
  const shown = new URL(url, document.baseURI);
  shown.searchParams.set('inline', 'true');
  return ownAddress(shown.href);
}

/** Faults are JSON. */
const isPage = ({ contentDocument }: HTMLIFrameElement): boolean =>
  contentDocument?.contentType === 'text/html';

/**
 * What can be seen of a document: its picture, sound or film as it is, a page of what is in other files. A file
 * that has no page, or that the browser cannot show, is offered instead.
 */
export function Preview({ document }: PartProps) {
  const { title, contextParameters } = document;
  const { preview } = contextParameters;
  const [unshown, setUnshown] = useState<string>();
  const file = valueAt(document, 'file:content') as File | null | undefined;
  const type = file?.['mime-type'] ?? '';
  const address = file?.data ? shownAddress(file.data) : undefined;
  const noPreview = <NoPreview file={file} />;
  const media = { src: address, onError: () => setUnshown(address) };
  const note = valueAt(document, 'note:note');
  if (address && address === unshown) return noPreview;
  if (address && /^image\/(png|jpeg|gif|webp|avif|svg\+xml)$/.test(type))
    return <img className="preview-image" {...media} alt={text('document.picture', { title })} />;
  if (address && type.startsWith('video/'))
    return <video className="preview-media" {...media} controls aria-label={title} />;
  if (address && type.startsWith('audio/'))
    return <audio className="preview-media" {...media} controls aria-label={title} />;
  if (preview.url)
    return (
      <iframe
        className="preview-page"
        src={ownAddress(preview.url)}
        onLoad={({ currentTarget }) => isPage(currentTarget) || setUnshown(address)}
        title={text('document.preview', { title })}
      />
    );
  if (typeof note === 'string' && note !== '') return <pre className="preview-note">{note}</pre>;
  return noPreview;
}
