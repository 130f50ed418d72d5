import type { MouseEvent } from 'react';

const focusScreen = (event: MouseEvent): void => {
  event.preventDefault(); // The browser would otherwise navigate to the URL in the `base` element.
  document.getElementById('screen')?.focus();
};

/** A link with which keyboard users skip the navigation. */
export const SkipLink = ({ label }: { readonly label: string }) => (
  // biome-ignore lint/a11y/useValidAnchor: it leads to an element of this page
  <a href="#screen" className="skip" onClick={focusScreen}>
    {label}
  </a>
);
