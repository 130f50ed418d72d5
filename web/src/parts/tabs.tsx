import { useEffect, useRef } from 'react';
import { NavLink, useLocation } from 'react-router';

interface TabLink {
  readonly to: string;
  readonly label: string;
}

/** Tabs whose contents have addresses of their own. */
export function TabLinks({ label, links }: { readonly label: string; readonly links: readonly TabLink[] }) {
  const list = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of address opens another tab
  useEffect(() => {
    list.current?.querySelector('.active')?.scrollIntoView({ inline: 'nearest', block: 'nearest' });
  }, [pathname]);
  return (
    <nav ref={list} aria-label={label} className="tabs">
      {links.map(({ to, label: shown }) => (
        <NavLink key={to} to={to} end className="tab">
          {shown}
        </NavLink>
      ))}
    </nav>
  );
}
