import { useState } from 'react';
import { endOfDay, timeOf } from '../form/typed-fields.tsx';
import { Checkbox, Select, TextField } from '../parts/fields.tsx';
import { text } from '../texts/text.ts';
import { modeText, permissionText } from './names.ts';

/** With whom a document is shared: users and groups, a guest, or anyone with a link. */
type Audience = 'people' | 'guest' | 'link';

/**
 * Holds what the user enters in the fields that all forms for sharing have. The result contains the props of
 * `ShareFields`, and the values to send.
 * @param rights the permissions or modes that the user can choose from
 */
export function useShare(audience: Audience, rights: readonly string[]) {
  const [entered, setEntered] = useState({
    right: rights[0] ?? '',
    begin: '',
    end: '',
    isMailed: true,
    message: '',
  });
  const { right, begin, end, isMailed, message } = entered;
  return {
    fields: {
      audience,
      rights,
      entered,
      enter: (changed: Partial<typeof entered>) => setEntered({ ...entered, ...changed }),
    },
    right,
    begin: timeOf(begin),
    end: endOfDay(end),
    notify: isMailed,
    comment: (isMailed && message.trim()) || null,
  };
}

/** The fields that forms for sharing have in common: what others can do and when, and the email to them. */
export function ShareFields({ audience, rights, entered, enter }: ReturnType<typeof useShare>['fields']) {
  const field = (name: 'right' | 'begin' | 'end' | 'message') => ({
    value: entered[name],
    onChange: (value: string) => enter({ [name]: value }),
  });
  const [isForPeople, isForLink] = [audience === 'people', audience === 'link'];
  const until = (
    <TextField
      label={text(isForPeople ? 'permissions.until' : 'links.end')}
      hint={text(isForPeople ? 'permissions.untilHint' : 'links.endHint')}
      type="date"
      {...field('end')}
    />
  );
  return (
    <>
      <Select
        label={text(isForPeople ? 'permissions.permission' : isForLink ? 'links.mode' : 'guests.mode')}
        {...field('right')}
        options={rights.map((id) => ({ id, label: isForPeople ? permissionText(id) : modeText(id) }))}
      />
      {isForPeople ? (
        <div className="two-fields">
          <TextField
            label={text('permissions.since')}
            hint={text('permissions.sinceHint')}
            type="datetime-local"
            {...field('begin')}
          />
          {until}
        </div>
      ) : (
        until
      )}
      {isForPeople && (
        <Checkbox
          label={text('permissions.notify')}
          isSelected={entered.isMailed}
          onChange={(isMailed) => enter({ isMailed })}
        />
      )}
      {!isForLink && entered.isMailed && (
        <TextField
          label={text('permissions.message')}
          hint={text('permissions.messageHint')}
          rows={3}
          {...field('message')}
        />
      )}
    </>
  );
}
