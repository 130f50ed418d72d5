import { extension } from 'mime-types';

/** Returns the name of a file without its extension; `file` if it has no name. */
export const stemOf = (name: string | null): string => (name ?? 'file').replace(/\.[^.]{1,20}$/, '');

export const convertedName = (stem: string, mimeType: string): string =>
  `${stem}.${extension(mimeType) || 'bin'}`;
