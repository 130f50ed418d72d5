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
