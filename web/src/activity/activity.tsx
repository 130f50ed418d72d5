import { MessageSquare, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Form } from 'react-aria-components';
import type { PartProps } from '../document/document.ts';
import { refresh, send } from '../graphql/client.ts';
import { comments, createComment, deleteComment, documentLog } from '../graphql/operations.ts';
import { usePages } from '../graphql/pages.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { TextField } from '../parts/fields.tsx';
import { More } from '../parts/more.tsx';
import { attempt } from '../parts/notices.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { text, textOr } from '../texts/text.ts';
import { labelText } from '../workflows/labels.ts';

function Comments({ document: { uid, facets } }: PartProps) {
  const pages = usePages(comments, { id: uid }, (data) => data.document.comments);
  const [written, setWritten] = useState('');
  if (!facets.includes('Commentable')) return null;
  const write = (event: FormEvent) => {
    event.preventDefault();
    if (written.trim() === '') return;
    void attempt(async () => {
      await send(createComment, { id: uid, text: written });
      setWritten('');
      await refresh();
    });
  };
  const remove = (comment: string) =>
    void attempt(async () => {
      await send(deleteComment, { id: uid, comment });
      await refresh();
    });
  return (
    <section className="card">
      <h2>{text('comments')}</h2>
      <Form onSubmit={write} className="form">
        <TextField label={text('comments.new')} rows={2} value={written} onChange={setWritten} />
        <div>
          <Button type="submit" icon={MessageSquare} isDisabled={written.trim() === ''}>
            {text('comments.send')}
          </Button>
        </div>
      </Form>
      {pages.error && <Failure error={pages.error} />}
      {pages.isLoading && <Loading />}
      <ul className="comments">
        {pages.entries.map(({ id, author, text: said, creationDate, permissions }) => (
          <li key={id}>
            <p className="comment-head">
              <strong>{author}</strong> <Time at={creationDate} />
              {permissions.includes('Everything') && (
                <IconButton label={text('comments.delete')} icon={Trash2} onPress={() => remove(id)} />
              )}
            </p>
            <p className="long-text">{said}</p>
          </li>
        ))}
      </ul>
      <More pages={pages} />
    </section>
  );
}

function Log({ document: { uid } }: PartProps) {
  const pages = usePages(documentLog, { id: uid }, (data) => data.document.audit);
  return (
    <section className="card">
      <h2>{text('log')}</h2>
      {pages.error && <Failure error={pages.error} />}
      {pages.isLoading && <Loading />}
      <ol className="timeline">
        {pages.entries.map(({ id, eventId, eventDate, principalName, comment }) => (
          <li key={id}>
            <div className="timeline-head">
              <strong>{textOr(`event.${eventId}`, eventId)}</strong>
              <span>{principalName}</span>
              <Time at={eventDate} />
            </div>
            {comment && <p className="hint">{comment.startsWith('wf.') ? labelText(comment) : comment}</p>}
          </li>
        ))}
      </ol>
      <More pages={pages} />
    </section>
  );
}

/** What was said about a document, and what happened to it. */
export const Activity = ({ document }: PartProps) => (
  <div className="columns">
    <Comments document={document} />
    <Log document={document} />
  </div>
);
