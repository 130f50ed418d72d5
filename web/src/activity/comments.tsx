import { MessageSquare, Reply, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Form } from 'react-aria-components';
import { change } from '../graphql/change.ts';
import { send } from '../graphql/client.ts';
import { type CommentsQuery, comments, createComment, deleteComment } from '../graphql/operations.ts';
import { usePages } from '../graphql/pages.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { TextField } from '../parts/fields.tsx';
import { More } from '../parts/more.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { text } from '../texts/text.ts';
import { Person } from '../values/person.tsx';

type Comment = NonNullable<CommentsQuery['document']['comments']>['entries'][number];

interface WriteProps {
  /** The document, or the comment that is replied to. */
  readonly parent: string;
  readonly label: string;
  readonly onWritten?: () => void;
}

function Write({ parent, label, onWritten }: WriteProps) {
  const [written, setWritten] = useState('');
  const write = (event: FormEvent) => {
    event.preventDefault();
    if (written.trim() === '') return;
    change(async () => {
      await send(createComment, { id: parent, text: written });
      setWritten('');
      onWritten?.();
    });
  };
  return (
    <Form onSubmit={write} className="form">
      <TextField
        label={label}
        rows={2}
        value={written}
        onChange={setWritten}
        autoFocus={onWritten !== undefined}
      />
      <div>
        <Button type="submit" icon={MessageSquare} isDisabled={written.trim() === ''}>
          {text('comments.send')}
        </Button>
      </div>
    </Form>
  );
}

/** A comment; its replies are read when they are asked for. */
function Said({ comment, of }: { readonly comment: Comment; readonly of: string }) {
  const { id, author, text: said, creationDate, permissions, numberOfReplies } = comment;
  const [isOpen, setOpen] = useState(false);
  const [isReplying, setReplying] = useState(false);
  const written = () => {
    setReplying(false);
    setOpen(true);
  };
  return (
    <li>
      <p className="comment-head">
        <strong>
          <Person id={author} />
        </strong>{' '}
        <Time at={creationDate} />
        {permissions.includes('Everything') && (
          <IconButton
            label={text('comments.delete')}
            icon={Trash2}
            onPress={() => change(() => send(deleteComment, { id: of, comment: id }))}
          />
        )}
      </p>
      <p className="long-text">{said}</p>
      <p className="comment-foot">
        <Button kind="quiet" icon={Reply} onPress={() => setReplying(!isReplying)}>
          {text('comments.reply')}
        </Button>
        {numberOfReplies > 0 && (
          <Button kind="quiet" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
            {text('comments.replies', { count: numberOfReplies })}
          </Button>
        )}
      </p>
      {isReplying && <Write parent={id} label={text('comments.replyTo', { author })} onWritten={written} />}
      {isOpen && <Thread parent={id} of={of} />}
    </li>
  );
}

interface ThreadProps {
  readonly parent: string;
  /** The document. */
  readonly of: string;
}

/** Comments on a document, or the replies to one of them: in GraphQL a comment is a document, too. */
function Thread({ parent, of }: ThreadProps) {
  const pages = usePages(comments, { id: parent }, (data) => data.document.comments);
  return (
    <>
      {pages.error && <Failure error={pages.error} />}
      {pages.isLoading && <Loading />}
      <ul className="comments">
        {pages.entries.map((comment) => (
          <Said key={comment.id} comment={comment} of={of} />
        ))}
      </ul>
      <More pages={pages} />
    </>
  );
}

/** What was said about a document, with the replies. */
export const Comments = ({ uid }: { readonly uid: string }) => (
  <section className="card">
    <h2>{text('comments')}</h2>
    <Write parent={uid} label={text('comments.new')} />
    <Thread parent={uid} of={uid} />
  </section>
);
