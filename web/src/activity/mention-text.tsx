import { userName } from '../values/names.ts';

export interface Mentioned {
  readonly id: string;
  readonly properties: unknown;
}

const escaped = (id: string): string => id.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Shows a comment with the names of the people whom it mentions as `@username`. */
export function MentionText({
  body,
  mentions,
}: {
  readonly body: string;
  readonly mentions: readonly Mentioned[];
}) {
  if (mentions.length === 0) return body;
  const names = new Map(mentions.map(({ id, properties }) => [id, userName(id, properties)]));
  const ids = [...names.keys()].sort((one, other) => other.length - one.length).map(escaped);
  const mention = new RegExp(
    `(?<![\\p{L}\\p{N}_.+-])@(?:"(${ids.join('|')})"|(${ids.join('|')})(?![\\p{L}\\p{N}_]))`,
    'gu',
  );
  const shown = body.normalize('NFC');
  const matches = [...shown.matchAll(mention)];
  const ends = matches.map(({ 0: found, index }) => index + found.length);
  return (
    <>
      {matches.map(({ 1: quoted, 2: plain, index }, at) => {
        const id = quoted ?? plain ?? '';
        return (
          <span key={index}>
            {shown.slice(ends[at - 1] ?? 0, index)}
            <span className="mention" title={id}>
              {names.get(id)}
            </span>
          </span>
        );
      })}
      {shown.slice(ends.at(-1) ?? 0)}
    </>
  );
}
