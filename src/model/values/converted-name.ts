import { extension } from 'mime-types';

/** The name of a file without its extension. */
export const stemOf = (name: string | null): string => (name ?? 'file').replace(/\.[^.]{1,20}$/, '');

/** The name of what is made of a file. */
export const convertedName = (stem: string, mimeType: string): string =>
  `${stem}.${extension(mimeType) || 'bin'}`;
