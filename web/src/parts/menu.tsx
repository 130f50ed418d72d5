import type { LucideIcon } from 'lucide-react';
import type { ReactElement } from 'react';
import { Menu as AriaMenu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';

export interface MenuEntry {
  readonly id: string;
  readonly label: string;
  readonly icon?: LucideIcon;
  readonly isDangerous?: boolean;
  readonly onAction: () => void;
}

interface MenuProps {
  /** The button that opens the menu. */
  readonly trigger: ReactElement;
  readonly label: string;
  readonly entries: readonly MenuEntry[];
}

export const Menu = ({ trigger, label, entries }: MenuProps) => (
  <MenuTrigger>
    {trigger}
    <Popover className="popover" placement="bottom end">
      <AriaMenu aria-label={label} className="list-box" items={entries}>
        {({ id, label: shown, icon: Icon, isDangerous, onAction }) => (
          <MenuItem
            id={id}
            textValue={shown}
            onAction={onAction}
            className={isDangerous ? 'option dangerous' : 'option'}
          >
            {Icon && <Icon size={16} aria-hidden />}
            {shown}
          </MenuItem>
        )}
      </AriaMenu>
    </Popover>
  </MenuTrigger>
);
