import { extension } from 'mime-types';

export const stemOf = (name: string | null): string => (name ?? 'file').replace(/\.[^.]{1,20}$/, '');

export const convertedName = (stem: string, mimeType: string): string =>
  `${stem}.${extension(mimeType) || 'bin'}`;
