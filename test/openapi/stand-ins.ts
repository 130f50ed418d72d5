import { createHash } from 'node:crypto';

const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;
const instant = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;
const day = 86_400_000;

/** The time of all that happens while examples are sent; what is due days later is as many days later. */
const aTime = Date.parse('2026-05-04T10:15:30.000Z');
const longestDue = 60;

const duration = /millis$|^time$/i;

const digestOf = (key: string): string => createHash('sha256').update(key).digest('hex');

const uuidOf = (key: string): string =>
  digestOf(key).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-a$4-$5');

/** What stands for the ids, times and addresses of one server, so that those of another are the same. */
export class StandIns {
  private readonly known = new Map<string, string>();
  private readonly now = Date.now();

  private of(value: string, key: string): string {
    const found = this.known.get(value) ?? uuidOf(key);
    this.known.set(value, found);
    return found;
  }

  /** The stand-in for a value that examples name. */
  name(name: string, value: string): string {
    const isSecret = /^[\w+/=-]{40,}$/.test(value) && value.search(uuid) < 0;
    if (isSecret && !this.known.has(value)) this.known.set(value, digestOf(name).slice(0, value.length));
    return this.text(value, () => name);
  }

  private text(value: string, key: () => string): string {
    const known = this.known.get(value);
    if (known !== undefined) return known;
    return value
      .replaceAll(uuid, (id) => this.of(id, key()))
      .replaceAll(instant, (time) => this.time(time))
      .replaceAll(/http:\/\/(?:localhost|127\.0\.0\.1):\d+/g, 'http://localhost:8080');
  }

  private time(time: string): string {
    const days = Math.round((Date.parse(time) - this.now) / day);
    return Math.abs(days) > longestDue ? time : new Date(aTime + days * day).toISOString();
  }

  /** JSON with stand-ins; those of ids that have no name are made of the key and their place. */
  in(value: unknown, key: string): unknown {
    let count = 0;
    const next = () => {
      count += 1;
      return `${key} ${count}`;
    };
    const walk = (part: unknown): unknown => {
      if (typeof part === 'string') return this.text(part, next);
      if (Array.isArray(part)) return part.map(walk);
      if (typeof part !== 'object' || part === null) return part;
      return Object.fromEntries(
        Object.entries(part).map(([name, each]) => [
          name,
          duration.test(name) && each !== null ? 5 : walk(each),
        ]),
      );
    };
    return walk(value);
  }
}

const longestText = 400;
const longestList = 1200;

/** How many items of a list are shown: one at least. */
function shownOf(items: readonly unknown[]): number {
  let left = longestList;
  const end = items.findIndex((item) => {
    left -= JSON.stringify(item).length;
    return left < 0;
  });
  return end < 0 ? items.length : Math.max(end, 1);
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** The same with the beginnings of long lists, of long texts, and of objects that are lists by name. */
export function cut(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > longestText ? `${value.slice(0, longestText)}…` : value;
  if (Array.isArray(value)) {
    const items = value.map(cut);
    return items.slice(0, shownOf(items));
  }
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.entries(value).map(([name, part]) => [name, cut(part)] as const);
  const isList = parts.length > 5 && parts.every(([, part]) => isObject(part));
  return Object.fromEntries(isList ? parts.slice(0, shownOf(parts)) : parts);
}
