import type { Request } from 'express';
import Negotiator from 'negotiator';
import { type Language, languageNamed, languages } from '../model/labels.ts';

function bestLanguage(asked: string | undefined): Language | undefined {
  if (asked === undefined) return undefined;
  const headers = { 'accept-language': asked.replaceAll('_', '-') };
  const [found] = new Negotiator({ headers }).languages([...languages]);
  return languageNamed(found);
}

/** §9: the language of labels. `?language=` is meant for this call, so it counts before `Accept-Language`. */
export function requestLanguage(request: Pick<Request, 'headers' | 'query'>): Language {
  const [named] = [request.query.language].flat();
  const wanted = typeof named === 'string' ? bestLanguage(named) : undefined;
  return wanted ?? bestLanguage(request.headers['accept-language']) ?? languages[0];
}
