/** Encodings by Windows code page. Code pages with an encoding named `windows-N` are not listed. */
const encodings: Readonly<Record<number, string>> = {
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  1200: 'utf-16le',
  1201: 'utf-16be',
  10000: 'macintosh',
  20127: 'windows-1252',
  20866: 'koi8-r',
  21866: 'koi8-u',
  50220: 'iso-2022-jp',
  50221: 'iso-2022-jp',
  51932: 'euc-jp',
  51949: 'euc-kr',
  54936: 'gb18030',
  65001: 'utf-8',
};

/** Returns the name of the encoding of a Windows code page, which the decoder may not support. */
export function encodingOfCodePage(codePage: number): string {
  const isoPart = codePage - 28_590;
  if (isoPart >= 1 && isoPart <= 16) return `iso-8859-${isoPart}`;
  return encodings[codePage] ?? `windows-${codePage}`;
}
