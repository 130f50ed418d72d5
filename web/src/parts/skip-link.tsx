import type { MouseEvent } from 'react';

const focusScreen = (event: MouseEvent): void => {
  event.preventDefault(); // the page has a `base`, to which the address would lead
  document.getElementById('screen')?.focus();
};

/** Leads past the navigation. */
export const SkipLink = ({ label }: { readonly label: string }) => (
  // biome-ignore lint/a11y/useValidAnchor: it leads to a place of this page
  <a href="#screen" className="skip" onClick={focusScreen}>
    {label}
  </a>
);
