import { ChevronDown, ChevronUp } from 'lucide-react';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { useAnswer } from '../graphql/client.ts';
import { documentPage } from '../graphql/operations.ts';
import { documentAddress } from '../listing/address.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { text } from '../texts/text.ts';
import { Viewer } from '../viewer/viewer.tsx';
import { close, opened } from './open.ts';
import { listedDocuments } from './subject.ts';

/** Shows the content of a document above its list. The arrow keys show its neighbors; Space closes it. */
export function Peek({ uid }: { readonly uid: string }) {
  const navigate = useNavigate();
  const { data, error } = useAnswer(documentPage, { id: uid });
  const documents = listedDocuments();
  const place = documents.findIndex((each) => each.uid === uid);
  const before = documents[place - 1];
  const after = place < 0 ? undefined : documents[place + 1];
  const title = data?.document.title ?? documents[place]?.title ?? text('document');
  const show = (next: typeof before) => next && opened.set({ kind: 'peek', document: next });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, target } = event;
      if ((target as Element).closest('button, a, input, audio, video, [tabindex="0"]')) return;
      if (key === ' ') close();
      else if (key === 'ArrowDown' || key === 'ArrowRight') show(after);
      else if (key === 'ArrowUp' || key === 'ArrowLeft') show(before);
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });
  return (
    <Dialog title={title} onClose={close} size="peek">
      {error && <Failure error={error} />}
      {!error && !data && <Loading />}
      {data && <Viewer document={data.document} />}
      <footer className="dialog-foot">
        <IconButton
          label={text('neighbours.before')}
          icon={ChevronUp}
          isDisabled={!before}
          onPress={() => show(before)}
        />
        <IconButton
          label={text('neighbours.after')}
          icon={ChevronDown}
          isDisabled={!after}
          onPress={() => show(after)}
        />
        <Button
          kind="main"
          onPress={() => {
            close();
            void navigate(documentAddress(uid));
          }}
        >
          {text('action.open')}
        </Button>
      </footer>
    </Dialog>
  );
}
