import { useEffect, useRef } from 'react';
import { NavLink, useLocation } from 'react-router';

interface TabLink {
  readonly to: string;
  readonly label: string;
  /** Whether the tab is also selected at addresses that begin with `to`, such as `/admin/users/NAME`. */
  readonly hasPages?: boolean;
}

/** Tabs that are links. Each tab has its own URL. */
export function TabLinks({ label, links }: { readonly label: string; readonly links: readonly TabLink[] }) {
  const list = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of address opens another tab
  useEffect(() => {
    const tabs = list.current;
    const active = tabs?.querySelector<HTMLElement>('.active');
    // `scrollIntoView` would also scroll the screen.
    if (tabs && active) tabs.scrollLeft = active.offsetLeft + active.offsetWidth - tabs.clientWidth;
  }, [pathname]);
  return (
    <nav ref={list} aria-label={label} className="tabs">
      {links.map(({ to, label: shown, hasPages = false }) => (
        <NavLink key={to} to={to} end={!hasPages} className="tab">
          {shown}
        </NavLink>
      ))}
    </nav>
  );
}
