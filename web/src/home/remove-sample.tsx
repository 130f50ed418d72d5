import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { send } from '../graphql/client.ts';
import { deleteDocument } from '../graphql/operations.ts';
import { browseAddress } from '../listing/address.ts';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { text } from '../texts/text.ts';

interface RemoveSampleProps {
  readonly samples: ReadonlyArray<{ readonly uid: string; readonly path: string; readonly title: string }>;
}

/** Links to the sample workspace, with a button that deletes it. */
export function RemoveSample({ samples }: RemoveSampleProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <section className="setup-form" aria-label={text('setup.sample.title')}>
      {samples.map(({ uid, path, title }) => (
        <Link key={uid} to={browseAddress(path)}>
          {title}
        </Link>
      ))}
      <Button kind="danger" icon={Trash2} onPress={() => setAsking(true)}>
        {text('setup.sample.remove')}
      </Button>
      {isAsking && (
        <Confirm
          title={text('setup.sample.remove')}
          question={text('setup.sample.removeQuestion')}
          submit={text('delete')}
          done={text('setup.sample.removed')}
          onConfirm={async () => {
            for (const { uid } of samples) await send(deleteDocument, { id: uid });
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  );
}
