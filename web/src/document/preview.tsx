import { FileQuestion } from 'lucide-react';
import { ownAddress } from '../form/shown-value.tsx';
import { Empty } from '../parts/states.tsx';
import { text } from '../texts/text.ts';
import { type PartProps, valueAt } from './document.ts';

interface File {
  readonly name?: string | null;
  readonly 'mime-type'?: string | null;
  readonly data?: string;
}

/** What can be seen of a document: its picture, sound or film as it is, a page of what is in other files. */
export function Preview({ document }: PartProps) {
  const { title, contextParameters } = document;
  const { preview, thumbnail } = contextParameters;
  const file = valueAt(document, 'file:content') as File | null | undefined;
  const type = file?.['mime-type'] ?? '';
  const address = file?.data ? ownAddress(file.data) : undefined;
  const note = valueAt(document, 'note:note');
  if (address && /^image\/(png|jpeg|gif|webp|avif|svg\+xml)$/.test(type))
    return <img className="preview-image" src={address} alt={text('document.picture', { title })} />;
  if (address && type.startsWith('video/'))
    // biome-ignore lint/a11y/useMediaCaption: the captions of a stored film are in it, or there are none
    return <video className="preview-media" src={address} controls aria-label={title} />;
  if (address && type.startsWith('audio/'))
    // biome-ignore lint/a11y/useMediaCaption: as above
    return <audio className="preview-media" src={address} controls aria-label={title} />;
  if (preview.url)
    return (
      <iframe
        className="preview-page"
        src={ownAddress(preview.url)}
        title={text('document.preview', { title })}
      />
    );
  if (typeof note === 'string' && note !== '') return <pre className="preview-note">{note}</pre>;
  if (address && thumbnail?.url)
    return (
      <img
        className="preview-image"
        src={ownAddress(thumbnail.url)}
        alt={text('document.picture', { title })}
      />
    );
  return <Empty icon={FileQuestion}>{text('document.noPreview')}</Empty>;
}
