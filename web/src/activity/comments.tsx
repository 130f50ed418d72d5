import { CircleCheck, MessageSquare, Reply, RotateCcw, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Form } from 'react-aria-components';
import { useSession } from '../app/session.ts';
import { may, type PartProps, type Shown } from '../document/document.ts';
import { change } from '../graphql/change.ts';
import { send } from '../graphql/client.ts';
import {
  type CommentsQuery,
  comments,
  createComment,
  deleteComment,
  resolveThread,
} from '../graphql/operations.ts';
import { usePages } from '../graphql/pages.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { More } from '../parts/more.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { text } from '../texts/text.ts';
import { useName, userName } from '../values/names.ts';
import { Person, PersonAvatar } from '../values/person.tsx';
import { MentionField } from './mention-field.tsx';
import { MentionText } from './mention-text.tsx';

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
      <MentionField label={label} value={draft} onChange={setDraft} autoFocus={onWritten !== undefined} />
      <div>
        <Button type="submit" icon={MessageSquare} isDisabled={draft.trim() === ''}>
          {text('comments.send')}
        </Button>
      </div>
    </Form>
  );
}

/** Tells the author which of the mentioned people cannot read the document. */
function WithoutAccess({ mentions, mentionsWithoutAccess: ids }: Comment) {
  if (!ids) return null;
  const names = mentions
    .filter(({ id }) => ids.includes(id))
    .map(({ id, properties }) => userName(id, properties))
    .join(', ');
  return (
    <p className="hint" role="status">
      {text('comments.withoutAccess', { names })}
    </p>
  );
}

/** The line in place of a resolved thread, with a button that shows the thread. */
function Resolved({ comment, onShow }: { readonly comment: Comment; readonly onShow: () => void }) {
  const author = useName(comment.author);
  return (
    <li className="resolved-thread">
      <p className="comment-head">
        <CircleCheck size={18} aria-hidden />
        <span className="ellipsis">
          <MentionText body={comment.text ?? ''} mentions={comment.mentions} />
        </span>
        <Button kind="quiet" aria-expanded={false} onPress={onShow}>
          {text('comments.showResolved', { author })}
        </Button>
      </p>
      <ResolvedBy {...comment} />
    </li>
  );
}

const ResolvedBy = ({ resolvedBy, resolvedDate }: Comment) => (
  <p className="hint">
    {text('comments.resolvedBy')} <Person id={resolvedBy ?? ''} /> · <Time at={resolvedDate} />
  </p>
);

interface CommentItemProps {
  readonly comment: Comment;
  readonly document: Shown;
  /** Whether the comment begins a thread, and is not a reply. */
  readonly isFirst: boolean;
}

/** Shows a comment. Its replies are loaded when the user expands them. A resolved thread is folded. */
function CommentItem({ comment, document, isFirst }: CommentItemProps) {
  const { id, author, text: body, creationDate, permissions, numberOfReplies } = comment;
  const { user } = useSession();
  const [isShown, setShown] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [isReplying, setReplying] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const isResolved = comment.resolved === true;
  const mayResolve = isFirst && (author === user.id || may(document, 'WriteProperties'));
  const resolve = () => {
    setShown(false);
    change(() => send(resolveThread, { id: document.uid, comment: id, resolved: !isResolved }));
  };
  if (isResolved && !isShown) return <Resolved comment={comment} onShow={() => setShown(true)} />;
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
      {isResolved && <ResolvedBy {...comment} />}
      <p className="long-text">
        <MentionText body={body ?? ''} mentions={comment.mentions} />
      </p>
      <WithoutAccess {...comment} />
      <p className="comment-foot">
        <Button kind="quiet" icon={Reply} onPress={() => setReplying(!isReplying)}>
          {text('comments.reply')}
        </Button>
        {mayResolve && (
          <Button kind="quiet" icon={isResolved ? RotateCcw : CircleCheck} onPress={resolve}>
            {text(isResolved ? 'comments.reopen' : 'comments.resolve')}
          </Button>
        )}
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
          onConfirm={() => send(deleteComment, { id: document.uid, comment: id })}
          onClose={() => setDeleting(false)}
        />
      )}
      {isOpen && <Thread parent={id} document={document} />}
    </li>
  );
}

interface ThreadProps {
  readonly parent: string;
  /** The document that the thread belongs to. */
  readonly document: Shown;
}

/** Shows the comments on a document, or the replies to a comment. In GraphQL, comments are documents too. */
function Thread({ parent, document }: ThreadProps) {
  const pages = usePages(comments, { id: parent }, (data) => data.document.comments);
  return (
    <>
      {pages.error && <Failure error={pages.error} />}
      {pages.isLoading && <Loading />}
      <ul className="comments">
        {pages.entries.map((comment) => (
          <CommentItem
            key={comment.id}
            comment={comment}
            document={document}
            isFirst={parent === document.uid}
          />
        ))}
      </ul>
      <More pages={pages} />
    </>
  );
}

export const Comments = ({ document }: PartProps) => (
  <section className="card">
    <h2>{text('comments')}</h2>
    <CommentForm parent={document.uid} label={text('comments.new')} />
    <Thread parent={document.uid} document={document} />
  </section>
);
