import { useQuery } from '@tanstack/react-query';
import { Download, FileQuestion, Upload } from 'lucide-react';
import { type FormEvent, useEffect, useState } from 'react';
import { FileTrigger, Form } from 'react-aria-components';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/fields.tsx';
import { Empty, Failure, Loading } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { text } from '../texts/text.ts';
import {
  addComment,
  ownAddress,
  Refusal,
  readChildren,
  readComments,
  readDocument,
  type SharedDocument,
  upload,
} from './client.ts';
import { Frame } from './frame.tsx';
import { fileOf, isFolder, Listing } from './listing.tsx';

interface PartProps {
  readonly document: SharedDocument;
}

const may = ({ contextParameters }: SharedDocument, permission: string): boolean =>
  contextParameters.permissions?.includes(permission) === true;

function Path({ document }: PartProps) {
  const above = (document.contextParameters.breadcrumb?.entries ?? []).filter(
    ({ uid }) => uid !== document.uid,
  );
  return (
    <nav className="share-path" aria-label={text('share.path')}>
      <a href="share/#">{text('share.title')}</a>
      {above.map(({ uid, title }) => (
        <span key={uid}>
          {' / '}
          <a href={`share/#id=${uid}`}>{title}</a>
        </span>
      ))}
    </nav>
  );
}

function Content({ document }: PartProps) {
  const { title, contextParameters } = document;
  const file = fileOf(document);
  const preview = contextParameters.preview?.url;
  return (
    <>
      {file && (
        <p>
          <a className="button main" href={ownAddress(file.data)} download={file.name}>
            <Download size={16} aria-hidden />
            {text('share.download')}
          </a>
        </p>
      )}
      {preview ? (
        <iframe
          className="share-preview"
          src={ownAddress(preview)}
          title={text('document.preview', { title })}
        />
      ) : (
        <Empty icon={FileQuestion}>{text('document.noPreview')}</Empty>
      )}
    </>
  );
}

function Folder({ document }: PartProps) {
  const { uid } = document;
  const { data, error, refetch } = useQuery({
    queryKey: ['children', uid],
    queryFn: () => readChildren(uid, 0),
  });
  const [failed, setFailed] = useState<Error>();
  const [state, setState] = useState('');
  const send = async (files: FileList | null) => {
    setFailed(undefined);
    try {
      for (const file of files ?? []) {
        setState(text('share.uploading', { name: file.name }));
        await upload(uid, file);
      }
      setState(text('share.uploaded'));
    } catch (error) {
      setState('');
      setFailed(error as Error);
    }
    await refetch();
  };
  const fault = failed ?? error;
  return (
    <>
      {may(document, 'AddChildren') && (
        <FileTrigger allowsMultiple onSelect={(files) => void send(files)}>
          <Button kind="main" icon={Upload}>
            {text('share.upload')}
          </Button>
        </FileTrigger>
      )}
      <p role="status">{state}</p>
      {fault && <Failure error={fault} />}
      {data ? (
        <Listing key={data.entries.length} first={data} read={(page) => readChildren(uid, page)} />
      ) : (
        !fault && <Loading />
      )}
    </>
  );
}

function Comments({ document }: PartProps) {
  const { uid } = document;
  const {
    data: comments = [],
    error,
    refetch,
  } = useQuery({ queryKey: ['comments', uid], queryFn: () => readComments(uid) });
  const [draft, setDraft] = useState('');
  const [failed, setFailed] = useState<Error>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setFailed(undefined);
    try {
      await addComment(uid, draft);
      setDraft('');
      await refetch();
    } catch (refused) {
      setFailed(refused as Error);
    }
  };
  const fault = failed ?? error;
  const mayComment = may(document, 'Comment');
  if (!mayComment && comments.length === 0) return null;
  return (
    <section className="share-comments">
      <h2>{text('share.comments')}</h2>
      {mayComment && (
        <Form onSubmit={(event) => void submit(event)} className="form">
          <TextField label={text('share.comment')} rows={3} value={draft} onChange={setDraft} />
          <Button type="submit" isDisabled={draft.trim() === ''}>
            {text('share.send')}
          </Button>
        </Form>
      )}
      {fault && <Failure error={fault} />}
      <ul>
        {comments.map(({ id, author, text: written, creationDate }) => (
          <li key={id}>
            <p>
              <strong>{author.startsWith('transient/') ? text('share.guest') : author}</strong>{' '}
              <Time at={creationDate} />
            </p>
            <p className="share-comment">{written}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Shows a document or folder that is shared with the guest. */
export function SharedDocumentView({ id }: { readonly id: string }) {
  const { data: document, error } = useQuery({ queryKey: ['document', id], queryFn: () => readDocument(id) });
  const isSignedOut = error instanceof Refusal && error.status === 401;
  useEffect(() => {
    if (isSignedOut) location.replace('share/#');
  }, [isSignedOut]);
  if (!document) return <Frame>{error && !isSignedOut ? <Failure error={error} /> : <Loading />}</Frame>;
  return (
    <Frame>
      <Path document={document} />
      <h1>{document.title}</h1>
      {isFolder(document) ? <Folder document={document} /> : <Content document={document} />}
      <Comments document={document} />
    </Frame>
  );
}
