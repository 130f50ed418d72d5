import type { Request } from 'express';
import Negotiator from 'negotiator';
import { type Language, languages } from '../model/labels.ts';

/** The one of our languages that fits best what a text in the form of `Accept-Language` asks for. */
function best(asked: string | undefined): Language | undefined {
  if (asked === undefined) return undefined;
  const headers = { 'accept-language': asked.replaceAll('_', '-') };
  const [found] = new Negotiator({ headers }).languages([...languages]);
  return languages.find((language) => language === found);
}

/** §9: the language of labels: `?language=`, which somebody wrote for this call, before `Accept-Language`. */
export function languageOf(request: Request): Language {
  const [named] = [request.query.language].flat();
  const wanted = typeof named === 'string' ? best(named) : undefined;
  return wanted ?? best(request.headers['accept-language']) ?? languages[0];
}
