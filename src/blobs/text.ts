/** Control bytes of binary files. Bell, backspace, tabs, line ends and escape occur in logs and manuals. */
const isUntextual = (byte: number): boolean =>
  byte < 7 || (byte > 13 && byte < 32 && byte !== 27) || byte === 127;

/** Decodes UTF-8 text, losslessly; undefined when the bytes are no text. */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes.some(isUntextual)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
