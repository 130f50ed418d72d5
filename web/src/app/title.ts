import { useEffect } from 'react';

/** Sets the title of the page, which screen readers announce when a screen is opened. */
export const useTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} – Quire`;
  }, [title]);
};
