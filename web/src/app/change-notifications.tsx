import { useState } from 'react';
import { change } from '../graphql/change.ts';
import { send, useAnswer } from '../graphql/client.ts';
import {
  changeNotifications,
  type NotificationsChange,
  type NotificationsQuery,
  notifications,
} from '../graphql/operations.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Select } from '../parts/fields.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { languageNames, languages } from '../texts/language.ts';
import { text } from '../texts/text.ts';

const frequencies = ['immediately', 'daily', 'never'] as const;

const languageOptions = () => [
  { id: '', label: text('notifications.anyLanguage') },
  ...languages.map((id) => ({ id, label: languageNames[id] })),
];

function Choices({ initial }: { readonly initial: NotificationsQuery['notifications'] }) {
  const [{ frequency, language }, setChoice] = useState(initial);
  const choose = (chosen: NotificationsChange) =>
    change(async () => {
      const { changeNotifications: stored } = await send(changeNotifications, { notifications: chosen });
      setChoice(stored);
    });
  return (
    <>
      <Select
        label={text('notifications.byMail')}
        value={frequency}
        options={frequencies.map((id) => ({ id, label: text(`notifications.${id}`) }))}
        onChange={(chosen) => choose({ frequency: chosen })}
      />
      <Select
        label={text('notifications.language')}
        value={language ?? ''}
        options={languageOptions()}
        onChange={(chosen) => choose({ language: chosen || null })}
      />
    </>
  );
}

/**
 * A dialog in which users choose which emails they receive and in which language. Each choice is saved immediately.
 */
export function ChangeNotifications({ onClose }: { readonly onClose: () => void }) {
  const { data, error } = useAnswer(notifications, {});
  return (
    <Dialog title={text('notifications')} onClose={onClose}>
      {error && <Failure error={error} />}
      {!error && !data && <Loading />}
      {data && <Choices initial={data.notifications} />}
      <p className="hint">{text('notifications.hint')}</p>
    </Dialog>
  );
}
