import { extension } from 'mime-types';

/** The name of a file without its extension; `file` for a file without a name. */
export const stemOf = (name: string | null): string => (name ?? 'file').replace(/\.[^.]{1,20}$/, '');

export const convertedName = (stem: string, mimeType: string): string =>
  `${stem}.${extension(mimeType) || 'bin'}`;
