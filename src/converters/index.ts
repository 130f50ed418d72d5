import type { Converter } from './converter.ts';
import { thumbnailConverter } from './thumbnail.ts';

/** Every converter, a file each. */
const converters: readonly Converter[] = [thumbnailConverter];

export const converterNamed = (name: string): Converter => {
  const converter = converters.find((each) => each.name === name);
  if (!converter) throw new Error(`there is no converter ${name}`);
  return converter;
};
