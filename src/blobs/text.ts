/** Bytes that no text has. Bell, backspace, tabs, line ends and escape are in logs and manuals. */
const isUntextual = (byte: number): boolean =>
  byte < 7 || (byte > 13 && byte < 32 && byte !== 27) || byte === 127;

/** The bytes as text, if that is what they are; encoded again they are the same bytes. */
export function asText(bytes: Uint8Array): string | undefined {
  if (bytes.some(isUntextual)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
