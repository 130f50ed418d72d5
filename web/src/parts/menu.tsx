import type { LucideIcon } from 'lucide-react';
import type { ReactElement } from 'react';
import {
  Menu as AriaMenu,
  type MenuProps as AriaMenuProps,
  MenuItem,
  MenuTrigger,
  Popover,
  Text,
} from 'react-aria-components';
import { KeyHint } from './key-hint.tsx';

export interface MenuEntry {
  readonly id: string;
  readonly label: string;
  readonly icon?: LucideIcon;
  /** The key that does the same, such as `F2` or `Mod+X`. */
  readonly keys?: string | undefined;
  /** Why the entry does nothing; absent if it does something. */
  readonly reason?: string | undefined;
  readonly isDangerous?: boolean;
  readonly onAction: () => void;
}

interface MenuListProps extends Pick<AriaMenuProps<MenuEntry>, 'autoFocus' | 'onClose'> {
  readonly label: string;
  readonly entries: readonly MenuEntry[];
}

/** Returns the reasons that several entries have. They are shown once, above the entries. */
function sharedReasons(entries: readonly MenuEntry[]): ReadonlySet<string> {
  const reasons = entries.flatMap(({ reason }) => reason ?? []);
  return new Set(reasons.filter((reason, index) => reasons.indexOf(reason) !== index));
}

/**
 * The entries of a menu. An entry that is not possible can have the focus, so that everybody can read its reason.
 */
export function MenuList({ label, entries, ...props }: MenuListProps) {
  const shared = sharedReasons(entries);
  return (
    <>
      {[...shared].map((reason) => (
        <p key={reason} className="menu-note">
          {reason}
        </p>
      ))}
      <AriaMenu {...props} aria-label={label} className="list-box" items={entries}>
        {({ id, label: shown, icon: Icon, keys, reason, isDangerous, onAction }) => (
          <MenuItem
            id={id}
            textValue={shown}
            onAction={onAction}
            className={`option${isDangerous ? ' dangerous' : ''}${reason === undefined ? '' : ' impossible'}`}
          >
            {Icon && <Icon size={16} aria-hidden />}
            <Text slot="label" title={reason}>
              {shown}
              {reason !== undefined && (
                <span className={shared.has(reason) ? 'visually-hidden' : 'reason'}> {reason}</span>
              )}
            </Text>
            {keys !== undefined && reason === undefined && <KeyHint keys={keys} />}
          </MenuItem>
        )}
      </AriaMenu>
    </>
  );
}

interface MenuProps extends Pick<MenuListProps, 'label' | 'entries'> {
  /** The button that opens the menu. */
  readonly trigger: ReactElement;
}

export const Menu = ({ trigger, label, entries }: MenuProps) => (
  <MenuTrigger>
    {trigger}
    <Popover className="popover" placement="bottom end">
      <MenuList label={label} entries={entries} />
    </Popover>
  </MenuTrigger>
);
