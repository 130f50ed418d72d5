import { useEffect } from 'react';

/** The title of the page, which readers of screens hear when a screen is opened. */
export const useTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} – Quire`;
  }, [title]);
};
