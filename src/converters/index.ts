import type { Converter, Purpose } from './converter.ts';
import { thumbnailConverter } from './thumbnail.ts';

/** Every converter, a file each. */
const converters: readonly Converter[] = [thumbnailConverter];

export const converterNamed = (name: string): Converter => {
  const converter = converters.find((each) => each.name === name);
  if (!converter) throw new Error(`there is no converter ${name}`);
  return converter;
};

/** The converter for files of a media type. */
export const converterFor = (makes: Purpose, mimeType: string): Converter | undefined =>
  converters.find((each) => each.makes === makes && each.takes.includes(mimeType));

/** The media types of the files that something is made of. */
export const typesFor = (makes: Purpose): string[] =>
  converters.filter((each) => each.makes === makes).flatMap(({ takes }) => takes);
