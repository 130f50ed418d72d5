import { MessageSquare, Reply, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Form } from 'react-aria-components';
import { change } from '../graphql/change.ts';
import { send } from '../graphql/client.ts';
import { type CommentsQuery, comments, createComment, deleteComment } from '../graphql/operations.ts';
import { usePages } from '../graphql/pages.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { TextField } from '../parts/fields.tsx';
import { More } from '../parts/more.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { text } from '../texts/text.ts';
import { Person, PersonAvatar } from '../values/person.tsx';

type Comment = NonNullable<CommentsQuery['document']['comments']>['entries'][number];

interface CommentFormProps {
  /** The id of the document, or of the comment to reply to. */
  readonly parent: string;
  readonly label: string;
  readonly onWritten?: () => void;
}

function CommentForm({ parent, label, onWritten }: CommentFormProps) {
  const [draft, setDraft] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (draft.trim() === '') return;
    change(async () => {
      await send(createComment, { id: parent, text: draft });
      setDraft('');
      onWritten?.();
    });
  };
  return (
    <Form onSubmit={submit} className="form">
      <TextField
        label={label}
        rows={2}
        value={draft}
        onChange={setDraft}
        autoFocus={onWritten !== undefined}
      />
      <div>
        <Button type="submit" icon={MessageSquare} isDisabled={draft.trim() === ''}>
          {text('comments.send')}
        </Button>
      </div>
    </Form>
  );
}

/** Shows a comment. Its replies are loaded when the user expands them. */
function CommentItem({ comment, of }: { readonly comment: Comment; readonly of: string }) {
  const { id, author, text: body, creationDate, permissions, numberOfReplies } = comment;
  const [isOpen, setOpen] = useState(false);
  const [isReplying, setReplying] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const written = () => {
    setReplying(false);
    setOpen(true);
  };
  return (
    <li>
      <p className="comment-head">
        <PersonAvatar id={author} />
        <strong>
          <Person id={author} />
        </strong>{' '}
        <Time at={creationDate} />
        {permissions.includes('Everything') && (
          <IconButton label={text('comments.delete')} icon={Trash2} onPress={() => setDeleting(true)} />
        )}
      </p>
      <p className="long-text">{body}</p>
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
      {isReplying && (
        <CommentForm parent={id} label={text('comments.replyTo', { author })} onWritten={written} />
      )}
      {isDeleting && (
        <Confirm
          title={text('comments.delete')}
          question={text('comments.deleteQuestion', { author })}
          submit={text('delete')}
          onConfirm={() => send(deleteComment, { id: of, comment: id })}
          onClose={() => setDeleting(false)}
        />
      )}
      {isOpen && <Thread parent={id} of={of} />}
    </li>
  );
}

interface ThreadProps {
  readonly parent: string;
  /** The id of the document that the thread belongs to. */
  readonly of: string;
}

/** Shows the comments on a document, or the replies to a comment. In GraphQL, comments are documents too. */
function Thread({ parent, of }: ThreadProps) {
  const pages = usePages(comments, { id: parent }, (data) => data.document.comments);
  return (
    <>
      {pages.error && <Failure error={pages.error} />}
      {pages.isLoading && <Loading />}
      <ul className="comments">
        {pages.entries.map((comment) => (
          <CommentItem key={comment.id} comment={comment} of={of} />
        ))}
      </ul>
      <More pages={pages} />
    </>
  );
}

export const Comments = ({ uid }: { readonly uid: string }) => (
  <section className="card">
    <h2>{text('comments')}</h2>
    <CommentForm parent={uid} label={text('comments.new')} />
    <Thread parent={uid} of={uid} />
  </section>
);
