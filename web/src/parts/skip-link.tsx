import type { MouseEvent } from 'react';

const focusScreen = (event: MouseEvent): void => {
  event.preventDefault(); // the link would lead to the address in the `base` element
  document.getElementById('screen')?.focus();
};

/** A link for keyboard users that moves the focus past the navigation. */
export const SkipLink = ({ label }: { readonly label: string }) => (
  // biome-ignore lint/a11y/useValidAnchor: it leads to an element of this page
  <a href="#screen" className="skip" onClick={focusScreen}>
    {label}
  </a>
);
