import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  Button as AriaButton,
  type ButtonProps as AriaButtonProps,
  Tooltip,
  TooltipTrigger,
} from 'react-aria-components';
import { Link } from 'react-router';

interface ButtonProps extends Omit<AriaButtonProps, 'children' | 'className'> {
  readonly children: ReactNode;
  readonly kind?: 'main' | 'plain' | 'danger' | 'quiet';
  readonly icon?: LucideIcon;
}

export const Button = ({ children, kind = 'plain', icon: Icon, ...props }: ButtonProps) => (
  <AriaButton {...props} className={`button ${kind}`}>
    {Icon && <Icon size={16} aria-hidden />}
    {children}
  </AriaButton>
);

interface ActionButtonProps extends ButtonProps {
  /** Why the action is not possible; undefined if it is possible. */
  readonly reason: string | undefined;
}

/**
 * A button for an action that may not be possible. The button can then still have the focus, so that everybody can read
 * the reason in its tooltip.
 */
export const ActionButton = ({ reason, ...props }: ActionButtonProps) =>
  reason === undefined ? (
    <Button {...props} />
  ) : (
    <TooltipTrigger delay={200}>
      <Button {...props} aria-disabled />
      <Tooltip className="tooltip" offset={6}>
        {reason}
      </Tooltip>
    </TooltipTrigger>
  );

interface ButtonLinkProps {
  readonly to: string;
  readonly children: ReactNode;
  readonly kind?: 'main' | 'plain';
  readonly icon?: LucideIcon;
}

/** A link to another screen that looks like a button. */
export const ButtonLink = ({ to, children, kind = 'plain', icon: Icon }: ButtonLinkProps) => (
  <Link to={to} className={`button ${kind}`}>
    {Icon && <Icon size={16} aria-hidden />}
    {children}
  </Link>
);

interface IconButtonProps extends Omit<AriaButtonProps, 'children' | 'className' | 'aria-label'> {
  readonly label: string;
  readonly icon: LucideIcon;
}

/** A button that shows only an icon. Its label is shown as a tooltip. */
export const IconButton = ({ label, icon: Icon, ...props }: IconButtonProps) => (
  <TooltipTrigger delay={400}>
    <AriaButton {...props} aria-label={label} className="icon-button">
      <Icon size={18} aria-hidden />
    </AriaButton>
    <Tooltip className="tooltip" offset={6}>
      {label}
    </Tooltip>
  </TooltipTrigger>
);
