import { analyse } from 'chardet';

// Guesses encodings other than UTF-8 and UTF-16. Almost any sequence of bytes is valid in most of these encodings, so
// each candidate is rated by the words that it yields. The library's language statistics are also used: they
// distinguish Polish from German, but are unreliable for short texts.

/** The number of bytes that are examined. */
const sampleBytes = 2_048;

/** A non-Latin script and the encodings that are used for one of its languages. */
interface Script {
  readonly letters: RegExp;
  /** The letters that together make up more than half of a typical text in the script. */
  readonly common: RegExp;
}

const scripts: readonly Script[] = [
  { letters: /\p{sc=Cyrillic}/u, common: /[оеаинтсрвлк]/i },
  { letters: /\p{sc=Greek}/u, common: /[αάεέιίοόντσςρηή]/i },
  { letters: /\p{sc=Hebrew}/u, common: /[יוהלאמרתשנב]/ },
  { letters: /\p{sc=Arabic}/u, common: /[اليمنوترب]/ },
  { letters: /\p{sc=Thai}/u, common: /[านรกอเงมยลวดทส่้ัี]/ },
];

/**
 * For encodings of Chinese, Japanese and Korean, functions that test whether the first byte of a character belongs to a
 * common character.
 */
const commonLeads: Readonly<Record<string, (lead: number) => boolean>> = {
  gb18030: (lead) => (lead >= 0xb0 && lead <= 0xd7) || lead === 0xa1 || lead === 0xa3,
  shift_jis: (lead) => lead >= 0x81 && lead <= 0x97 && (lead <= 0x83 || lead >= 0x88),
  'euc-jp': (lead) => (lead >= 0xb0 && lead <= 0xcf) || lead === 0xa1 || lead === 0xa4 || lead === 0xa5,
  big5: (lead) => lead >= 0xa1 && lead <= 0xc6,
  'euc-kr': (lead) => (lead >= 0xb0 && lead <= 0xc8) || lead === 0xa1 || lead === 0xa3,
};

/** The candidate encodings. If two are rated equally, the first one wins. */
const candidates: readonly string[] =
  'windows-1252 windows-1251 koi8-r gb18030 shift_jis big5 euc-kr euc-jp windows-1250 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-874 iso-8859-2 iso-8859-5 ibm866'.split(
    ' ',
  );

/** The encodings that the library reports, mapped to the supersets that are used instead. */
const largerEncodings: Readonly<Record<string, string>> = {
  'iso-8859-1': 'windows-1252',
  'iso-8859-6': 'windows-1256',
  'iso-8859-7': 'windows-1253',
  'iso-8859-8': 'windows-1255',
  'iso-8859-9': 'windows-1254',
};

/** Non-ASCII symbols that occur in texts in all scripts. */
const usualSign = /[\u00a0€£¥§©®°±²³µ·«»–—‘’‚“”„†•…‰™½¼¾№×¡¿ªº\u00ad]/;

const isHigh = (byte: number): boolean => byte >= 0x80;

/**
 * Decodes a sample. Its last character may be incomplete. Returns undefined if the sample is not valid in the encoding.
 */
function decoded(sample: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(sample, { stream: true });
  } catch {
    return undefined;
  }
}

const windowsSigns = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/**
 * Replaces C1 control characters with the Windows-1252 characters for the same bytes, because Node's decoder for
 * Windows-1252 yields these control characters.
 */
export const withWindowsSigns = (text: string): string =>
  text.replace(/[\u0080-\u009f]/g, (control) => windowsSigns.charAt(control.charCodeAt(0) - 0x80));

/**
 * Rates how well the letters of a word fit one script, from -1 to 1. A word in Latin letters should also contain ASCII
 * letters.
 */
function suitability(word: string): number {
  const foreign = word.replaceAll(/[a-z]/gi, '');
  const isOddCase = /\p{Ll}\p{Lu}/u.test(word) || /^\p{Ll}?\p{Lu}+\p{Ll}/u.test(word.slice(1));
  if (isOddCase) return -1;
  if (/^\p{sc=Latin}+$/u.test(word)) {
    if (word.includes('ƒ')) return -1;
    return foreign.length <= word.length - foreign.length + 1 ? 1 : -1;
  }
  if (foreign.length < word.length) return -1;
  const script = scripts.find(({ letters }) => letters.test(foreign.charAt(0)));
  if (!script) return -1;
  let [own, common] = [0, 0];
  for (const letter of foreign) {
    if (script.letters.test(letter) || /\p{M}/u.test(letter)) own += 1;
    if (script.common.test(letter)) common += 1;
  }
  if (own < foreign.length) return -1;
  const isUpper =
    foreign.length > 1 && foreign === foreign.toUpperCase() && foreign !== foreign.toLowerCase();
  return 0.5 + (0.5 * common) / foreign.length - (isUpper ? 0.3 : 0);
}

/** Rates the words of a text that was decoded with a single-byte encoding, from -1 to 1. */
function wordQuality(text: string): number {
  // A symbol inside a word suggests that the byte stands for a letter in another encoding.
  const inside = text.match(/\p{L}[¿¡¹²³¼½¾»«±¤¦¨¬¯¸£¥¢°](?=\p{L})/gu)?.length ?? 0;
  let [sum, count] = [-2 * inside, 0];
  for (const [word] of text.matchAll(/[\p{L}\p{M}]+/gu)) {
    const high = word.replaceAll(/[\0-\x7f]/g, '').length;
    if (high === 0) continue;
    sum += suitability(word) * high;
    count += high;
  }
  for (const [sign] of text.matchAll(/[^\0-\x7f\p{L}\p{M}]/gu)) {
    count += 1;
    sum += usualSign.test(sign) ? 0.3 : -1;
  }
  return count === 0 ? 0 : sum / count;
}

/** Rates how common the characters of a Chinese, Japanese or Korean text are, from -1 to 1. */
function characterQuality(sample: Uint8Array, text: string, isCommon: (lead: number) => boolean): number {
  let [sum, count] = [0, 0];
  for (let index = 0; index < sample.length; index += 1) {
    const lead = sample[index] ?? 0;
    if (!isHigh(lead)) continue;
    count += 1;
    sum += isCommon(lead) ? 1 : -0.5;
    index += 1; // skips the second byte of the character
  }
  // A non-ASCII character between ASCII letters is more likely to be an accented letter in a single-byte encoding.
  const isolated = text.match(/[a-z][^\0-\x7f][a-z]/gi)?.length ?? 0;
  const odd = text.match(/[\uff61-\uff9f\p{Co}\p{Cn}]/gu)?.length ?? 0;
  return count === 0 ? 0 : (sum - 2 * (isolated + odd)) / count;
}

/** Rates how well bytes fit an encoding, from -1 to 1; returns undefined if the bytes are not valid in it. */
function quality(sample: Uint8Array, encoding: string): number | undefined {
  const text = decoded(sample, encoding);
  if (text === undefined) return undefined;
  const shown = encoding === 'windows-1252' ? withWindowsSigns(text) : text;
  if (/[\u0080-\u009f\ufffd]/.test(shown)) return undefined;
  const isCommon = commonLeads[encoding];
  return isCommon ? characterQuality(sample, shown, isCommon) : wordQuality(shown.replaceAll(/[µªº]/g, '°'));
}

/** Returns the part of a text that is examined, which begins shortly before the first non-ASCII byte. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const first = Math.max(0, bytes.findIndex(isHigh) - 100);
  return bytes.subarray(first, first + sampleBytes);
}

/** Returns the decoder's lower-case name for an encoding; undefined if the decoder does not support the encoding. */
export function knownEncoding(name: string): string | undefined {
  try {
    return new TextDecoder(name.trim()).encoding;
  } catch {
    return undefined;
  }
}

/** Whether bytes are plausible text in a declared encoding. */
export function isPlausible(bytes: Uint8Array, encoding: string): boolean {
  const found = quality(sampleOf(bytes), encoding === 'gbk' ? 'gb18030' : encoding);
  return found !== undefined && found > -0.3;
}

/** Guesses the encoding of text that is neither UTF-8 nor UTF-16. The default is Windows-1252. */
export function legacyEncodingOf(bytes: Uint8Array): string {
  const sample = sampleOf(bytes);
  const confidences = new Map<string, number>();
  for (const { name, confidence } of analyse(sample)) {
    const encoding = largerEncodings[name.toLowerCase()] ?? name.toLowerCase();
    confidences.set(encoding, Math.max(confidence / 100, confidences.get(encoding) ?? 0));
  }
  let [best, most] = ['windows-1252', Number.NEGATIVE_INFINITY];
  for (const [index, encoding] of candidates.entries()) {
    const found = quality(sample, encoding);
    if (found === undefined) continue;
    const score = found + (confidences.get(encoding) ?? 0) / 2 - (index && 0.1 + index / 100);
    if (score > most) [best, most] = [encoding, score];
  }
  return best;
}
