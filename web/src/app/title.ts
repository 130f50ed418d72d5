import { useEffect } from 'react';

/** Sets the title of the page. Screen readers announce it when a screen opens. */
export const useTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} – Quire`;
  }, [title]);
};
