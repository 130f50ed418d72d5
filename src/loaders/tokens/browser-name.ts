/**
 * The patterns by which browsers and other programs are recognized. The order matters, because most browsers also name
 * the browsers that they imitate.
 */
const programs: ReadonlyArray<readonly [name: string, sign: RegExp]> = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
];

const systems: ReadonlyArray<readonly [name: string, sign: RegExp]> = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

/** Returns a short name for the program and the system in the header User-Agent, such as "Firefox, Windows". */
export function browserName(userAgent: string): string {
  const nameIn = (names: typeof programs): string | undefined =>
    names.find(([, sign]) => sign.test(userAgent))?.[0];
  const known = [nameIn(programs), nameIn(systems)].filter((name) => name !== undefined);
  // Other programs put their own name first, as in `curl/8.5.0`.
  return known.join(', ') || (/^[^\s/(]{1,40}/.exec(userAgent)?.[0] ?? '');
}
