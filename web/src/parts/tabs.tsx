import { NavLink } from 'react-router';

interface TabLink {
  readonly to: string;
  readonly label: string;
}

/** Sections of a page, each with an address of its own. */
export const TabLinks = ({
  label,
  links,
}: {
  readonly label: string;
  readonly links: readonly TabLink[];
}) => (
  <nav aria-label={label} className="tabs">
    {links.map(({ to, label: shown }) => (
      <NavLink key={to} to={to} end className="tab">
        {shown}
      </NavLink>
    ))}
  </nav>
);
