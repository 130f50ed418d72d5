import type { IncomingHttpHeaders } from 'node:http';

export function cookieOf({ cookie = '' }: IncomingHttpHeaders, name: string): string | undefined {
  const cookies = cookie.split(';').map((each) => each.trim());
  return cookies.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1);
}
