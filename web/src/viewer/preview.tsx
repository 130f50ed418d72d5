import { AudioLines, File as FileIcon, FileQuestion } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { type Shown, valueAt } from '../document/document.ts';
import { FileLink } from '../form/shown-value.tsx';
import { Empty, Loading } from '../parts/states.tsx';
import { text } from '../texts/text.ts';
import { contentAddress, contentId } from './content-address.ts';
import { FullScreenButton } from './full-screen.tsx';

// The code of a viewer is loaded when a document needs it.
const Picture = lazy(async () => ({ default: (await import('./picture.tsx')).Picture }));
const Pages = lazy(async () => ({ default: (await import('./pages.tsx')).Pages }));

interface File {
  readonly name?: string | null;
  readonly 'mime-type'?: string | null;
  readonly length?: string | number | null;
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

/** Content without tools of its own, with a button that shows it on the full screen. */
const Plain = ({ children }: { readonly children: ReactNode }) => (
  <div className="viewer-plain">
    {children}
    <div className="viewer-corner">
      <FullScreenButton />
    </div>
  </div>
);

/** Returns whether a frame has loaded a page. Errors do not count, because the server sends them as JSON. */
const isPage = ({ contentDocument }: HTMLIFrameElement): boolean =>
  contentDocument?.contentType === 'text/html';

/** The forms in which a document can be shown. If one fails, the next is used. */
const forms = ['file', 'pages', 'page'] as const;

type Form = (typeof forms)[number];

/**
 * Shows a document. Images, audio and video are shown directly, and PDF files as pages that the server draws. Other
 * files, and images that the browser cannot show, are shown as an HTML page that the server generates in a frame without
 * scripts; the page also says if a file is encrypted or unreadable. Everything else is offered as a download.
 */
export function Preview({ document }: { readonly document: Shown }) {
  const { title, contextParameters } = document;
  const { preview } = contextParameters;
  const content = contentId(document.properties);
  const [failed, setFailed] = useState<{ readonly content: string; readonly forms: readonly Form[] }>();
  const file = valueAt(document, 'file:content') as File | null | undefined;
  const note = valueAt(document, 'note:note');
  const type = file?.['mime-type'] ?? '';
  const failedForms = failed?.content === content ? failed.forms : [];
  const fail = (form: Form) => () => setFailed({ content, forms: [...failedForms, form] });
  const may = (form: Form) => !failedForms.includes(form);
  if (file?.data && Number(file.length) === 0)
    return <Empty icon={FileIcon}>{text('document.emptyFile')}</Empty>;
  if (document.type === 'Note' && (note === null || note === undefined || note === ''))
    return <Empty icon={FileIcon}>{text('document.emptyNote')}</Empty>;
  const address = file?.data ? contentAddress(file.data, content, { inline: 'true' }) : undefined;
  if (address && may('file')) {
    const media = { src: address, onError: fail('file') };
    if (/^image\/(png|jpeg|gif|webp|avif|svg\+xml)$/.test(type))
      return (
        <Suspense fallback={<Loading />}>
          <Picture {...media} title={title} />
        </Suspense>
      );
    if (type.startsWith('video/'))
      return <video className="preview-media" {...media} controls aria-label={title} />;
    if (type.startsWith('audio/'))
      return (
        <div className="preview-audio">
          <AudioLines size={72} strokeWidth={1.25} aria-hidden />
          <audio className="preview-media" {...media} controls aria-label={title} />
        </div>
      );
  }
  if (/^(audio|video)\//.test(type)) return <NoPreview file={file} />;
  if (preview.url && preview.hasPages && may('pages'))
    return (
      <Suspense fallback={<Loading />}>
        <Pages source={preview.url} content={content} title={title} onError={fail('pages')} />
      </Suspense>
    );
  if (preview.url && may('page'))
    return (
      <Plain>
        <iframe
          className="preview-page"
          src={contentAddress(preview.url, content)}
          onLoad={({ currentTarget }) => isPage(currentTarget) || fail('page')()}
          title={text('document.preview', { title })}
        />
      </Plain>
    );
  if (typeof note === 'string') return <pre className="preview-note">{note}</pre>;
  return <NoPreview file={file} />;
}
