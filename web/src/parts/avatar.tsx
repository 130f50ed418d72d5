/** The number of colors in `parts.css`. */
const colorCount = 8;

/** Returns the same color for the same id in every session. */
function colorOf(id: string): number {
  let sum = 0;
  for (const sign of id) sum = (sum * 31 + (sign.codePointAt(0) ?? 0)) % 65_521;
  return sum % colorCount;
}

/** The first letters of the first and the last word of a name. */
function initialsOf(name: string): string {
  const words = name.split(/[\s._@-]+/).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(
    (word) => [...(word ?? '')][0] ?? '',
  );
  return letters.join('').toUpperCase();
}

interface AvatarProps {
  /** The user's id, which determines the color. */
  readonly id: string;
  readonly name: string;
}

/** The initials of a user on a color, next to the name. They are not text, so that they do not become part of labels. */
export const Avatar = ({ id, name }: AvatarProps) => (
  <span className={`avatar color-${colorOf(id)}`} data-initials={initialsOf(name)} aria-hidden />
);
