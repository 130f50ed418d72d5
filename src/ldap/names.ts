const decoded = (text: string): string =>
  text.replace(/\\(?:([\da-f]{2})|(.))/gis, (_, code?: string, character = '') =>
    code === undefined ? character : String.fromCharCode(Number.parseInt(code, 16)),
  );

/**
 * Splits a distinguished name into its parts, in a form in which equal parts are equal texts. Escaped characters
 * (RFC 4514) are decoded afterwards, so that an escaped comma does not begin a new part.
 */
function partsOf(dn: string): string[] {
  const parts = dn.match(/(?:\\.|[^\\,])+/gs) ?? [];
  return parts.map((part) => {
    const at = part.indexOf('=');
    return decoded(`${part.slice(0, at).trim()}=${part.slice(at + 1).trim()}`).toLowerCase();
  });
}

/** Whether an entry is at or below another one, by their distinguished names. */
export function isAtOrBelowDn(dn: string, base: string): boolean {
  const [own, other] = [partsOf(dn), partsOf(base)];
  return other.length > 0 && own.slice(-other.length).join('\0') === other.join('\0');
}
