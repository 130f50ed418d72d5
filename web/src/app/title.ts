import { useEffect } from 'react';
import { look } from './look.ts';

/** Sets the title of the page. Screen readers announce it when a screen opens. */
export const useTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} – ${look.name}`;
  }, [title]);
};
