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

/**
 * The address of a file for display. `inline` keeps the browser from downloading it, and the address has no host,
 * because the Content-Security-Policy of the page allows only its own.
 */
function shownAddress(url: string): string {
  const shown = new URL(url, document.baseURI);
  shown.searchParams.set('inline', 'true');
  return ownAddress(shown.href);
}

/** Whether a frame has loaded a page; errors of the server are JSON. */
const isPage = ({ contentDocument }: HTMLIFrameElement): boolean =>
  contentDocument?.contentType === 'text/html';

/**
 * The preview of a document: images, audio and video are shown as they are, other files as the HTML page that the
 * server makes of them. A file without such a page, or one that the browser cannot show, is offered as a download.
 */
export function Preview({ document }: PartProps) {
  const { title, contextParameters } = document;
  const { preview } = contextParameters;
  const [failed, setFailed] = useState<string>();
  const file = valueAt(document, 'file:content') as File | null | undefined;
  const type = file?.['mime-type'] ?? '';
  const address = file?.data ? shownAddress(file.data) : undefined;
  const noPreview = <NoPreview file={file} />;
  const media = { src: address, onError: () => setFailed(address) };
  const note = valueAt(document, 'note:note');
  if (address && address === failed) return noPreview;
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
        onLoad={({ currentTarget }) => isPage(currentTarget) || setFailed(address)}
        title={text('document.preview', { title })}
      />
    );
  if (typeof note === 'string' && note !== '') return <pre className="preview-note">{note}</pre>;
  return noPreview;
}
