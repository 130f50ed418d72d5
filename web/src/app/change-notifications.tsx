import { useState } from 'react';
import { change } from '../graphql/change.ts';
import { send, useAnswer } from '../graphql/client.ts';
import { changeNotifications, notifications } from '../graphql/operations.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Checkbox } from '../parts/fields.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { text } from '../texts/text.ts';

function ByMail({ initial }: { readonly initial: boolean }) {
  const [byMail, setByMail] = useState(initial);
  const choose = (isOn: boolean) =>
    change(async () => {
      const { changeNotifications: stored } = await send(changeNotifications, {
        notifications: { byMail: isOn },
      });
      setByMail(stored.byMail);
    });
  return <Checkbox label={text('notifications.byMail')} isSelected={byMail} onChange={choose} />;
}

/** Whether the user gets mails about new tasks and changes; a choice counts at once. */
export function ChangeNotifications({ onClose }: { readonly onClose: () => void }) {
  const { data, error } = useAnswer(notifications, {});
  return (
    <Dialog title={text('notifications')} onClose={onClose}>
      {error && <Failure error={error} />}
      {!error && !data && <Loading />}
      {data && <ByMail initial={data.notifications.byMail} />}
      <p className="hint">{text('notifications.hint')}</p>
    </Dialog>
  );
}
