/** What the server's settings say about the look of the page. */
interface Look {
  readonly name: string;
  readonly color?: string;
  readonly hasLogo: boolean;
}

const written = document.querySelector<HTMLMetaElement>('meta[name=look]')?.content;

export const look: Look = written?.startsWith('{')
  ? (JSON.parse(written) as Look)
  : { name: 'Quire', hasLogo: false };

type Color = readonly [red: number, green: number, blue: number];

const white: Color = [255, 255, 255];
const black: Color = [0, 0, 0];

/** The backgrounds of both themes, as in `base.css`. */
const papers = { light: [230, 239, 249], dark: [29, 49, 72] } as const;

/** The least contrast of texts with their background (WCAG 2.2, 1.4.3), with some room. */
const minContrast = 4.8;

const colorOf = (hex: string): Color =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as never;

/** The relative luminance of a color, from 0 to 1. */
function luminance(color: Color): number {
  const [red, green, blue] = color.map((value) => {
    const part = value / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as unknown as Color;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: Color, other: Color): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const mixed = (color: Color, other: Color, share: number): Color =>
  color.map((value, index) => Math.round(value + ((other[index] ?? 0) - value) * share)) as never;

/** Mixes a color with black or white until it is readable on a background. */
function readable(color: Color, background: Color, end: Color): Color {
  for (let share = 0; share < 1; share += 0.04) {
    const candidate = mixed(color, end, share);
    if (contrast(candidate, background) >= minContrast) return candidate;
  }
  return end;
}

const css = (color: Color): string => `rgb(${color.join(' ')})`;

/** Uses the organization's color for links and buttons, in both themes. */
export function applyLook(): void {
  if (look.color === undefined) return;
  const color = colorOf(look.color);
  const light = readable(color, papers.light, black);
  const dark = readable(color, papers.dark, white);
  const colors = {
    '--accent': [light, dark],
    '--accent-strong': [mixed(light, black, 0.25), mixed(dark, white, 0.35)],
    '--accent-tint': [mixed(light, white, 0.9), mixed(dark, [24, 31, 39], 0.85)],
    '--on-accent': [white, [12, 23, 34]],
  } as const;
  for (const [name, [day, night]] of Object.entries(colors))
    document.documentElement.style.setProperty(name, `light-dark(${css(day)}, ${css(night)})`);
}
